import { isStopping } from '../../kit/switches.ts'
import { isMoneySwitch } from '../../reconcile/switches.ts'
import type { DataOf } from '../command.ts'
import type { flipSwitch } from '../switch.ts'

export function renderSwitch({ name, is_on }: DataOf<typeof flipSwitch>): string[] {
  if (name === 'read_only')
    return [
      is_on
        ? 'read_only is on: within seconds, every request that would change something gets 503'
        : 'read_only is off: requests are served as usual within seconds',
    ]
  const after = isStopping({ name, is_on })
    ? 'off until someone turns it on'
    : isMoneySwitch(name)
      ? 'on; reconciliation turns it off again if there is still a reason to'
      : 'on'
  return [`${name} is ${after}`]
}
