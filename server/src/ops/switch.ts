/** Turn a platform switch on or off. */
import { turnSwitch } from '../decisions/kinds/turn-switch.ts'
import { isStopping, SWITCHES } from '../kit/switches.ts'
import { command, Misunderstood, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const flipSwitch = command({
  name: 'switch',
  takes: 'NAME on | off REASON',
  does: `turn a feature off or on: ${SWITCHES.join(', ')}`,
  right: 'switch',
  async run(background, { words: [word, state, ...words], by }) {
    const name = SWITCHES.find((known) => known === word)
    if (name === undefined) throw new Misunderstood(`The switches are ${SWITCHES.join(', ')}`)
    if (state !== 'on' && state !== 'off')
      throw new Misunderstood('The state must be `on` or `off`')
    const isOn = state === 'on'
    // Whoever stops something owes the others a reason; to end that, words are optional.
    const isReasonNeeded = isStopping({ name, is_on: isOn })
    const reason = isReasonNeeded ? sentenceOf(words, 'a reason') : words.join(' ').slice(0, 500)
    const data = await decideNow(background, turnSwitch, {
      subject: name,
      input: { is_on: isOn },
      reason,
      by,
    })
    return { data }
  },
})
