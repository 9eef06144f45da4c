/** Runs an operator's command. */
import { ApiError } from '../kit/errors.ts'
import { Misunderstood, type OperatorBackground } from './command.ts'
import type { Said, TextCommand } from './text-command.ts'

/**
 * Logs the operator before the command runs, and its outcome afterwards. Read-only commands are not logged, unless they
 * show a person's record.
 */
export async function perform(
  background: OperatorBackground,
  { command, words, operator }: { command: TextCommand; words: string[]; operator: string },
): Promise<Said> {
  const { db, clock } = background
  if (command.isLook) {
    const said = await command.run(background, words, operator)
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
    const said = await command.run(background, words, operator)
    await keep(said.isBad ? 'refused' : 'done', said.lines.join('\n'))
    return said
  } catch (error) {
    const isRefusal = error instanceof Misunderstood || error instanceof ApiError
    await keep(isRefusal ? 'refused' : 'failed', String(error))
    throw error
  }
}
