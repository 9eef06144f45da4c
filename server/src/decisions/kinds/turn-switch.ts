/**
 * Turn a platform switch.
 *
 *   called by   an operator with the right `switch`
 *   moves       a switch
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { isStopping, SWITCHES, type SwitchName } from '../../kit/switches.ts'
import { SWITCH_GOES_ON, SWITCH_STOPS } from '../../reconcile/switch-effects.ts'
import { copySwitches, isMoneySwitch, turnSwitch as turn } from '../../reconcile/switches.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const turnSwitch = decision({
  kind: 'switch.turn',
  right: 'switch',
  title: 'Turn a switch',
  input: z.object({ is_on: z.boolean() }),
  home: () => 'global',

  async preview(_, { subject, input: { is_on } }) {
    const name = switchOf(subject)
    return {
      ...NO_EFFECT,
      changes: [
        ...(isStopping({ name, is_on })
          ? [`Stops ${SWITCH_STOPS[name]}`, SWITCH_GOES_ON[name]]
          : [
              `No longer stops ${SWITCH_STOPS[name]}`,
              ...(isMoneySwitch(name)
                ? ['Reconciliation may stop it again for a reason of its own']
                : []),
            ]),
        'It applies in every process within two seconds',
      ],
      undo: `Turn it ${is_on ? 'off' : 'on'} again`,
    }
  },

  async carryOut({ db, clock }, { subject, input: { is_on }, reason, operator }) {
    const name = switchOf(subject)
    await db.shards.global.transaction((tx) =>
      turn(tx, { name, isOn: is_on, reason, operator, now: clock.now() }),
    )
    await copySwitches(db.shards)
    return { name, is_on }
  },

  undo: ({ subject, input: { is_on } }) => ({
    kind: 'switch.turn',
    subject,
    input: { is_on: !is_on },
  }),
})

function switchOf(subject: string): SwitchName {
  const name = SWITCHES.find((known) => known === subject)
  if (name === undefined) throw decisionRefused({ why: `The switches are ${SWITCHES.join(', ')}` })
  return name
}
