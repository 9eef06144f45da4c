import { DECISION_KINDS } from '../../decisions/kinds.ts'
import { masked } from '../../ops/look-up.ts'
import { namesOf } from '../cases.ts'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  nextFact,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const SHOWN_MAX = 100
/** Every operator sees these actions; only those with the right `staff` see the whole log. */
const ACTIONS = DECISION_KINDS.map(({ kind }) => kind)

/** A colleague, with what they decided lately. */
export async function findOperator({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { reader } = db.shards.global
  const operator = await reader
    .selectFrom('operators')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (operator === undefined) return undefined
  const decided = await reader
    .selectFrom('audit_log')
    .select(['at', 'action', 'subject'])
    .where('operator_id', '=', id)
    .where('action', 'in', ACTIONS)
    .orderBy('seq', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const cases = await reader
    .selectFrom('case_assignments')
    .select(['subject', 'since'])
    .where('operator_id', '=', id)
    .orderBy('since')
    .limit(SHOWN_MAX)
    .execute()
  const names = await namesOf(reader, [operator.invited_by])
  return {
    id,
    kind: 'operator',
    title: operator.name,
    status: operator.status,
    mode: null,
    facts: [
      nextFact('The audit log has everything that they did, looked at and searched for.'),
      textFact('Role', operator.role),
      textFact('Email', masked(operator.email)),
      operator.invited_by === null
        ? undefined
        : textFact('Invited by', names(operator.invited_by).name),
      timeFact('Invited', operator.created_at),
      timeFact('Disabled', operator.disabled_at),
      ...cases.map(({ subject }) => idFact('Has the case', subject)),
    ],
    timeline: inOrder([
      ...moment(operator.created_at, 'Invited'),
      ...decided.flatMap(({ at, action, subject }) =>
        moment(at, titleOf(action), { id: pageOf(action, subject) }),
      ),
      ...moment(operator.disabled_at, 'Disabled'),
    ]),
  }
}

/** The page of what was decided about; some subjects, such as all dead jobs, have none. */
function pageOf(action: string, subject: string): string | null {
  switch (action.split('.')[0]) {
    case 'receiver':
      return `receiver_${subject}`
    case 'switch':
      return `switch_${subject}`
    case 'break':
      return `break_${subject.replace(/\D/g, '')}`
    default:
      return /^[a-z]+_[0-9a-z]{26}$/.test(subject) ? subject : null
  }
}

const titleOf = (action: string) =>
  DECISION_KINDS.find(({ kind }) => kind === action)?.title ?? action
