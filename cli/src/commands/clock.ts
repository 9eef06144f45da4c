/** `clock`: shows the test agent's clock. `clock advance 24h` moves it and fires everything that becomes due. */
import type { Duration } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import { readSpanMs, span } from '../words.ts'

export const clock = command({
  name: 'clock',
  takes: '[advance 24h]',
  summary: 'Test mode: show what is due next, or advance the clock',
  details: [
    'advance DURATION  90s, 30m, 24h or 2d; triggers expiry, approval, retries and scripted workers',
  ],
  options: {},
  words: [0, 2],

  async run({ words, print, legwork }) {
    const [action, by] = words
    if (action === undefined) {
      const found = await legwork().test.clock()
      print.step(
        { type: 'clock', ...found },
        `The test clock is ${span(found.moved_s * 1000)} ahead`,
        ...found.next.map((one) =>
          `in ${span(one.in_s * 1000)}  ${one.what}  ${one.task_id ?? ''}`.trimEnd(),
        ),
      )
      if (found.next.length === 0) print.note('Nothing is due.')
      print.next('Advance it', 'clock advance 24h')
      return EXIT.done
    }
    if (action !== 'advance' || by === undefined)
      throw usage('clock takes no argument, or advance and a duration', 'Use clock advance 24h.')
    readSpanMs(by, 'clock advance')

    const moved = await legwork().test.advanceClock(by as Exclude<Duration, number>)
    print.step(
      { type: 'clock', ...moved },
      `Advanced your clock by ${span(moved.moved_s * 1000)}, ${span(moved.total_moved_s * 1000)} in total`,
      ...moved.fired.map((one) =>
        `● at ${span(one.at_s * 1000)}  ${one.what}  ${one.task_id ?? ''}`.trimEnd(),
      ),
    )
    if (moved.fired.length === 0) print.note('Nothing became due.')
    if (!moved.is_done) print.next('Continue with', `clock advance ${by}`)
    return EXIT.done
  },
})
