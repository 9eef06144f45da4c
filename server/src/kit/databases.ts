/** The databases that the settings name. */
import type { Config } from '../config.ts'
import { type HomeSchema, MAIN } from './layout.ts'

export interface NamedDatabase {
  name: string
  url: string
}

type Databases = [NamedDatabase, ...NamedDatabase[]]
type Settings = Pick<Config, 'DATABASE_URL' | 'DATABASES'>

/** All databases, that of DATABASE_URL first. */
export const databasesOf = ({ DATABASE_URL, DATABASES }: Settings): Databases => [
  { name: MAIN, url: DATABASE_URL },
  ...DATABASES,
]

/** The same with the logins that own the tables. */
export const ownedDatabasesOf = (
  config: Settings & Pick<Config, 'MIGRATE_DATABASE_URL' | 'MIGRATE_DATABASES'>,
): Databases => [
  { name: MAIN, url: config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL },
  ...(config.MIGRATE_DATABASES.length > 0 ? config.MIGRATE_DATABASES : config.DATABASES),
]

/** The address of the database that holds a schema. */
export function urlOf(settings: Settings, { database }: Pick<HomeSchema, 'database'>): string {
  const found = databasesOf(settings).find(({ name }) => name === database)
  if (!found) throw new Error(`DATABASES does not name ${database}`)
  return found.url
}

/** Where long statements read: on a standby, if there is one. */
export const auditUrlOf = (
  config: Settings & Pick<Config, 'AUDIT_DATABASE_URL'>,
  schema: Pick<HomeSchema, 'database'>,
): string =>
  (schema.database === MAIN ? config.AUDIT_DATABASE_URL : undefined) ?? urlOf(config, schema)
