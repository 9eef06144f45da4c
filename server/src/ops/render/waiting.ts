import { ageOf } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { waiting } from '../waiting.ts'

export const renderWaiting = ({ at, waiting: all }: DataOf<typeof waiting>): string[] =>
  all.length === 0
    ? ['Nothing is waiting for a person.']
    : all.flatMap(({ what, count, late, oldest_at, next }) => [
        `${count} ${what}` +
          (oldest_at === null
            ? ''
            : `, the oldest for ${ageOf(at.getTime() - oldest_at.getTime())}`) +
          (late === 0 ? '' : `; ${late} for too long`),
        `    next: ${next}`,
      ])
