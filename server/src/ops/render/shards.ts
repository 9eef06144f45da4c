import type { DataOf } from '../command.ts'
import type { shards, ShownSchema } from '../shards.ts'

export const renderShards = ({ schemas }: DataOf<typeof shards>): string[] => {
  const versions = new Set(schemas.map(({ last_migration }) => last_migration))
  return [
    ...schemas.map(lineOf),
    ...(versions.size > 1 ? ['next: server migrate, which continues where it stopped'] : []),
  ]
}

const lineOf = ({
  schema,
  database,
  holds,
  range,
  last_migration,
  bytes,
  crossings,
}: ShownSchema): string => {
  const what = range ? `shards ${range[0]}–${range[1]}` : holds.join(', ')
  const waiting = crossings > 0 ? `, ${crossings} changes wait for another database` : ''
  return `${schema.padEnd(8)} ${database.padEnd(8)} ${what.padEnd(18)} ${megabytes(bytes).padStart(10)}  ${
    last_migration ?? 'no migration'
  }${waiting}`
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`
