import type { Background } from '../kit/job.ts'

/** With one schema, the timer of the shards has already seen the global rows. */
export const isSecondLook = ({ db }: Pick<Background, 'db'>): boolean =>
  db.shards.all.includes(db.shards.global)
