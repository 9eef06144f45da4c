/**
 * Adds pauses inside the SQL functions, in one test's own database: a function is one statement for its caller, but
 * many for everybody else. Before each statement the contender reports its position and waits for a lock that the
 * explorer holds, alternating between two, so the explorer can take one back while the contender continues to the
 * other.
 */
import assert from 'node:assert/strict'
import type pg from 'pg'

/** The application_name of connections that must pause; all others pass through. */
export const NAME = 'contender'

const PAUSE = `
  create function pause(p_before text) returns void language plpgsql as $$
  declare
    turn integer := 1 - coalesce(nullif(current_setting('legwork.turn', true), ''), '0')::integer;
  begin
    if current_setting('application_name') <> '${NAME}' then return; end if;
    perform set_config('legwork.turn', turn::text, false);
    raise notice 'pause % %', turn, p_before;
    perform pg_advisory_lock(pg_backend_pid(), turn);
    perform pg_advisory_unlock(pg_backend_pid(), turn);
  end
  $$`

/** The functions that move money. */
const FUNCTIONS = ['move_tasks', 'create_tasks', 'ledger_post']

/** Recreates the functions with a pause before each of their statements; returns the number of pauses. */
export async function addPauses(owner: pg.Pool): Promise<number> {
  await owner.query(PAUSE)
  let count = 0
  for (const name of FUNCTIONS) {
    const { rows } = await owner.query<{ text: string }>(
      'select pg_get_functiondef($1::regproc) as text',
      [name],
    )
    const lines = withPauses(name, rows[0]!.text)
    await owner.query(lines.join('\n'))
    count += lines.filter((line) => line.startsWith('  perform pause(')).length
  }
  return count
}

/** A statement of the outermost block starts in the third column of a line, after the end of another. */
function withPauses(name: string, text: string): string[] {
  let before = ''
  let isBody = false
  const lines = text.split('\n').flatMap((line) => {
    const code = line.replace(/--.*/, '').trimEnd()
    const begins = isBody && /^ {2}[a-z]/.test(code) && (before === 'begin' || before.endsWith(';'))
    if (code === 'begin') isBody = true
    if (code !== '') before = code
    if (!begins || /^ {2}(?:end|else)\b/.test(code)) return [line]
    const shown = `${name}, before ${code.trim()}`.replaceAll("'", "''")
    return [`  perform pause('${shown}');`, line]
  })
  assert(isBody, 'the body of the function was found')
  return lines
}
