/** Turn a platform switch on or off. */
import { isStopping, SWITCHES } from '../kit/switches.ts'
import { copySwitches, turnSwitch } from '../reconcile/switches.ts'
import { command, Misunderstood, sentenceOf } from './command.ts'

export const flipSwitch = command({
  name: 'switch',
  takes: 'NAME on | off REASON',
  does: `turn a feature off or on: ${SWITCHES.join(', ')}`,
  right: 'switch',
  async run({ db, clock }, { words: [word, state, ...words], operator }) {
    const name = SWITCHES.find((known) => known === word)
    if (name === undefined) throw new Misunderstood(`The switches are ${SWITCHES.join(', ')}`)
    if (state !== 'on' && state !== 'off')
      throw new Misunderstood('The state must be `on` or `off`')
    const isOn = state === 'on'
    // Whoever stops something owes the others a reason; to end that, words are optional.
    const isReasonNeeded = isStopping({ name, is_on: isOn })
    const reason = isReasonNeeded ? sentenceOf(words, 'a reason') : words.join(' ').slice(0, 500)
    await db.transaction((tx) => turnSwitch(tx, { name, isOn, reason, operator, now: clock.now() }))
    await copySwitches(db.shards)
    return { data: { name, is_on: isOn } }
  },
})
