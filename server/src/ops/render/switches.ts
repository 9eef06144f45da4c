import { ageOf } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { switches } from '../switches.ts'

export function renderSwitches({ at, switches: listed }: DataOf<typeof switches>): string[] {
  return listed.map(({ name, is_on, is_stopping, stops, set_by, reason, changed_at }) => {
    const state = is_on ? 'on' : 'off'
    const since = changed_at === null ? '' : ` for ${ageOf(at.getTime() - changed_at.getTime())}`
    const why = reason === null ? '' : `: ${reason}`
    return is_stopping
      ? `${name}: ${state.toUpperCase()}${since}, by ${set_by}${why}. Stops ${stops}`
      : `${name}: ${state}`
  })
}
