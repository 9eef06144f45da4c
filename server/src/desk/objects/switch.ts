import { isStopping } from '../../kit/switches.ts'
import { SWITCH_GOES_ON, SWITCH_STOPS } from '../../reconcile/switch-effects.ts'
import { AUTOMATIC, isMoneySwitch, readSwitches } from '../../reconcile/switches.ts'
import { namesOf } from '../cases.ts'
import { type Found, inOrder, moment, nextFact, type Sought, textFact, timeFact } from './object.ts'

/** A switch of the platform: `switch_` and its name. */
export async function findSwitch({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { reader } = db.shards.global
  const found = (await readSwitches(reader)).find(({ name }) => id === `switch_${name}`)
  if (found === undefined) return undefined
  const { name, is_on, set_by, reason, changed_at } = found
  const isAutomatic = set_by === AUTOMATIC
  const isStopped = isStopping(found)
  const who = isAutomatic ? AUTOMATIC : (await namesOf(reader, [set_by]))(set_by).name
  return {
    id,
    subjects: [name],
    kind: 'switch',
    title: name === 'read_only' ? 'Read-only mode' : name.replaceAll('_', ' '),
    status: is_on ? 'on' : 'off',
    mode: null,
    facts: [
      nextFact(
        isStopped
          ? isAutomatic
            ? 'Explain the breaks of the books: reconciliation then turns it on again.'
            : 'Turn it back as soon as the cause is gone.'
          : null,
      ),
      textFact('Stops', SWITCH_STOPS[name]),
      textFact('Goes on meanwhile', SWITCH_GOES_ON[name]),
      textFact('Reason', reason),
      textFact('Turned by', who),
      textFact('Reconciliation turns it too', isMoneySwitch(name)),
      timeFact('Turned', changed_at),
    ],
    timeline: inOrder(moment(changed_at, is_on ? 'Turned on' : 'Turned off', { who })),
  }
}
