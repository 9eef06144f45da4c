/** List the switches: what each one stops, what goes on meanwhile, and who turned it when and why. */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { SWITCHES } from '../kit/switches.ts'
import { listSwitches as listAll } from '../ops/switches.ts'
import { SWITCH_GOES_ON } from '../reconcile/switch-effects.ts'

const DeskSwitch = named(
  'DeskSwitch',
  z.object({
    name: z.enum(SWITCHES),
    is_on: z.boolean(),
    is_stopping: z
      .boolean()
      .describe('Read-only mode stops something while it is on, all others while they are off'),
    stops: z.string().describe('What it stops, as a noun phrase'),
    goes_on: z.string().describe('What goes on meanwhile'),
    set_by: z
      .object({ id: z.string().nullable(), name: z.string() })
      .nullable()
      .describe(
        'Who turned it last; without an id, reconciliation or an operator of the shell; null: nobody',
      ),
    reason: z.string().nullable(),
    changed_at: z.iso.datetime().nullable(),
    is_automatic: z.boolean().describe('Reconciliation turns it too'),
  }),
)

export const listSwitches = deskOperation({
  method: 'GET',
  path: '/switches',
  name: 'listSwitches',
  right: 'view',
  summary: 'List the switches',
  success: { status: 200, body: z.object({ at: z.iso.datetime(), switches: z.array(DeskSwitch) }) },
  errors: [],
  async handler({ background, now }) {
    return { at: now.toISOString(), switches: await readAll(background.db.shards.global.reader) }
  },
})

async function readAll(global: Reader): Promise<z.input<typeof DeskSwitch>[]> {
  const all = await listAll(global)
  const setters = all.flatMap(({ set_by }) => (set_by === null ? [] : [set_by]))
  const operators =
    setters.length === 0
      ? []
      : await global
          .selectFrom('operators')
          .select(['id', 'name'])
          .where('id', 'in', setters)
          .execute()
  const names = new Map(operators.map(({ id, name }) => [id, name]))
  return all.map(({ set_by, changed_at, ...one }) => ({
    ...one,
    changed_at: changed_at?.toISOString() ?? null,
    goes_on: SWITCH_GOES_ON[one.name],
    set_by:
      set_by === null
        ? null
        : { id: names.has(set_by) ? set_by : null, name: names.get(set_by) ?? set_by },
  }))
}
