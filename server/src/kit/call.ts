/** Calls an SQL function with named, typed arguments. `functions.ts` is generated from the database. */
import { CompiledQuery } from 'kysely'
import type { Db, Reader, Tx } from './db.ts'
import { CALLS, type Functions } from './functions.ts'

/**
 * On a `Db` the call is one prepared statement in its own transaction, retried after a conflict; on a `Tx` it belongs
 * to that transaction. A list of rows is sent as one JSON value; a field that is undefined arrives as null.
 */
export async function call<Name extends keyof Functions>(
  on: Db | Reader | Tx,
  name: Name,
  args: Functions[Name]['args'],
): Promise<Functions[Name]['row'][]> {
  const values = Object.entries(CALLS[name].args).map(([argument, rowType]) => {
    const value = (args as Record<string, unknown>)[argument]
    return rowType === null ? value : JSON.stringify(value)
  })
  const text = TEXTS.get(name)!
  if ('call' in on) return on.call<Functions[Name]['row']>(name, text, values)
  const { rows } = await on.executeQuery<Functions[Name]['row']>(CompiledQuery.raw(text, values))
  return rows
}

type ValueFunction = {
  [Name in keyof Functions]: Functions[Name]['row'] extends { value: unknown } ? Name : never
}[keyof Functions]

/** Calls a function that returns one value instead of rows. */
export async function callForValue<Name extends ValueFunction>(
  on: Db | Reader | Tx,
  name: Name,
  args: Functions[Name]['args'],
): Promise<Functions[Name]['row']['value']> {
  const [row] = await call(on, name, args)
  return row!.value
}

const TEXTS = new Map(
  Object.entries(CALLS).map(([name, { args, result }]) => {
    const passed = Object.entries(args).map(([argument, rowType], i) => {
      const value =
        rowType === null
          ? `$${i + 1}`
          : `array(select r from json_populate_recordset(null::${rowType}, $${i + 1}::json) r)`
      return `${argument} => ${value}`
    })
    const called = `${name}(${passed.join(', ')})`
    return [name, result === 'rows' ? `select * from ${called}` : `select ${called} as value`]
  }),
)
