/** Runs an operator's command. */
import type { OperatorBackground } from '../kit/operator-background.ts'
import { ApiError } from '../kit/errors.ts'
import { hasRight } from '../kit/rights.ts'
import { appendAudit } from '../operators/audit.ts'
import type { ShellOperator } from '../operators/find-shell-operator.ts'
import { Misunderstood } from './command.ts'
import type { Said, TextCommand } from './text-command.ts'

/**
 * Logs the operator before the command runs, and its outcome afterwards. Read-only commands are not logged, unless they
 * show a person's record.
 */
export async function perform(
  background: OperatorBackground,
  {
    command,
    words,
    operator: by,
  }: { command: TextCommand; words: string[]; operator: ShellOperator },
): Promise<Said> {
  const { db, clock } = background
  const operator = by.id
  if (!hasRight(by.role, command.right)) return refuse(background, { command, by })
  if (command.isLook) {
    const said = await command.run(background, words, by)
    if (command.isRecorded) {
      // Log the id instead of the arguments, which may contain an email address.
      const row = {
        at: clock.now(),
        operator,
        command: command.name,
        words: [said.about ?? 'nobody'],
      }
      const outcome = said.isBad ? 'refused' : 'done'
      await db.transaction((tx) =>
        tx
          .insertInto('operator_actions')
          .values({ ...row, outcome })
          .execute(),
      )
    }
    return said
  }
  const { id } = await db.transaction((tx) =>
    tx
      .insertInto('operator_actions')
      .values({ at: clock.now(), operator, command: command.name, words })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const keep = (outcome: 'done' | 'refused' | 'failed', answer: string) =>
    db.transaction((tx) =>
      tx
        .updateTable('operator_actions')
        .set({ outcome, answer: answer.slice(0, 2000) })
        .where('id', '=', id)
        .execute(),
    )
  try {
    const said = await command.run(background, words, by)
    const hides = command.printsSecret && !said.isBad
    await keep(said.isBad ? 'refused' : 'done', hides ? 'a link' : said.lines.join('\n'))
    return said
  } catch (error) {
    const isRefusal = error instanceof Misunderstood || error instanceof ApiError
    await keep(isRefusal ? 'refused' : 'failed', String(error))
    throw error
  }
}

/** The attempt is in the audit log, without its words. */
async function refuse(
  { db, clock }: OperatorBackground,
  { command: { name, right }, by }: { command: TextCommand; by: ShellOperator },
): Promise<Said> {
  const detail = { required_right: right }
  await db.shards.global.transaction((tx) =>
    appendAudit(
      tx,
      { operator: by, action: 'command.refused', subject: name, detail },
      { now: clock.now() },
    ),
  )
  return {
    lines: [`Your role, ${by.role}, doesn’t include this: ask an administrator (needs ${right})`],
    isBad: true,
  }
}
