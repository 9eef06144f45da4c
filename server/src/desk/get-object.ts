/**
 * Show everything about one record: facts, timeline, money, proofs, links, notes and earlier decisions. Personal data
 * is masked; a look shows it.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Shards } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { placesOf, readShards } from '../kit/everywhere.ts'
import { choicesFor } from '../decisions/choices.ts'
import { DECISION_KINDS } from '../decisions/kinds.ts'
import { QUEUES } from '../ops/queues.ts'
import { readQueue } from '../ops/read-queues.ts'
import { assignmentsOf, namesOf, notesOf } from './cases.ts'
import { objectNotFound } from './errors.ts'
import { findObject } from './objects/find-object.ts'
import { ObjectId } from './objects/object.ts'
import { ObjectPage } from './views.ts'

const DECISIONS_MAX = 50

export const getObject = deskOperation({
  method: 'GET',
  path: '/objects/:id',
  name: 'getObject',
  right: 'view',
  summary: 'One record with everything that a decision about it needs',
  params: z.object({ id: ObjectId }),
  success: { status: 200, body: z.object({ object: ObjectPage }) },
  errors: [objectNotFound],

  async handler({ background, params: { id }, now }) {
    const { shards } = background.db
    const seen = await findObject({ background, id, now })
    if (seen === undefined) throw objectNotFound()
    const { subjects, ...found } = seen
    const [waits, notes, assignments, decisions, choices] = await Promise.all([
      waitsOf(shards, found),
      notesOf(shards, found.id),
      assignmentsOf(shards, [found.id]),
      decisionsAbout(shards, found.id, subjects),
      choicesFor(background, found),
    ])
    return {
      object: {
        text: [],
        proofs: [],
        timeline: [],
        money: [],
        trust: [],
        access: [],
        linked: [],
        related: [],
        thread: null,
        ...found,
        facts: found.facts.filter((fact) => fact !== undefined),
        at: now.toISOString(),
        waits,
        notes,
        assignment: assignments.get(found.id) ?? null,
        decisions,
        choices,
      },
    }
  },
})

/** The queues that contain the record. */
async function waitsOf(shards: Shards, { id, kind }: { id: string; kind: string }) {
  const parts = await Promise.all(
    QUEUES.filter((queue) => queue.kind === kind).map(async (queue) => {
      const { rows } = await readQueue(shards, queue, { limit: 1, ids: [id] })
      return rows.map(({ due_at }) => ({
        what: queue.title,
        until: due_at?.toISOString() ?? null,
        queue: queue.name,
      }))
    }),
  )
  return parts.flat()
}

/** Decisions are with their subject: on its shard, or in the global schema. */
async function decisionsAbout(shards: Shards, id: string, subjects: readonly string[] = []) {
  const { reader: global } = shards.global
  // A subject that is not an id of ours doesn't say where its decisions are.
  const homes = subjects.length === 0 ? [shards.at(id).reader] : shards.readers
  const places = placesOf({ shards: homes, global })
  const parts = await readShards(places, (reader) =>
    reader
      .selectFrom('operator_decisions')
      .select(['id', 'kind', 'state', 'proposed_by', 'second_by', 'reason', 'proposed_at'])
      .select('amount_cents')
      .where('subject', 'in', [id, ...subjects])
      .orderBy('proposed_at', 'desc')
      .limit(DECISIONS_MAX)
      .execute(),
  )
  const rows = parts.flat()
  const names = await namesOf(
    global,
    rows.flatMap(({ proposed_by, second_by }) => [proposed_by, second_by]),
  )
  return rows.map(({ proposed_by, second_by, proposed_at, ...row }) => ({
    ...row,
    title: titleOfKind(row.kind),
    proposed_by: names(proposed_by),
    second_by: second_by === null ? null : names(second_by),
    at: proposed_at.toISOString(),
  }))
}

const titleOfKind = (kind: string) =>
  DECISION_KINDS.find((known) => known.kind === kind)?.title ?? kind
