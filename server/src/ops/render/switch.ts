import type { DataOf } from '../command.ts'
import type { flipSwitch } from '../switch.ts'

export function renderSwitch({ name, is_on }: DataOf<typeof flipSwitch>): string[] {
  const after = is_on
    ? 'on; reconciliation turns it off again if there is still a reason to'
    : 'off until someone turns it on'
  return [`${name} is ${after}`]
}
