/** `expand`: replaces ids in a response with the objects they name. */
import { viewAccount } from './account-v1.ts'
import { findTransaction } from './balance.ts'
import { lineItemsOf } from './checkout.ts'
import { invalidParameter } from './errors.ts'
import { findObject, type Kind, KINDS, listObjects } from './objects.ts'
import { isRecord } from './params.ts'
import { asAccount, type Tx } from './tx.ts'

type Expanded = Record<string, unknown>
type Expansion = (tx: Tx, id: string, owner: Expanded) => unknown

const DEPTH_MAX = 4

const object =
  (kind: Kind): Expansion =>
  (tx, id) =>
    findObject(tx, kind, id)
const transaction: Expansion = (tx, id) => findTransaction(tx, id)
const account: Expansion = (tx, id) => {
  const record = findObject(tx, 'account', id)
  return record && viewAccount(record)
}
/** The payment on the books of the account that received a transfer. */
const received: Expansion = (tx, id, owner) =>
  findObject(asAccount(tx, String(owner.destination)), 'charge', id)
const anyObject: Expansion = (tx, id) =>
  KINDS.map((kind) => findObject(tx, kind, id)).find((found) => found !== undefined)

/** The expandable fields of each object. A field that is hidden unless expanded gets the owner's id. */
const EXPANSIONS: Record<string, Record<string, Expansion>> = {
  'checkout.session': {
    payment_intent: object('payment_intent'),
    line_items: (tx, _, owner) => lineItemsOf(tx, String(owner.id)),
  },
  payment_intent: { latest_charge: object('charge') },
  charge: {
    payment_intent: object('payment_intent'),
    balance_transaction: transaction,
    failure_balance_transaction: transaction,
    refunds: (tx, _, owner) =>
      listObjects(tx, 'refund', `/v1/charges/${String(owner.id)}/refunds`, {
        where: { charge: String(owner.id) },
      }),
  },
  refund: {
    charge: object('charge'),
    payment_intent: object('payment_intent'),
    balance_transaction: transaction,
    failure_balance_transaction: transaction,
  },
  dispute: { charge: object('charge'), payment_intent: object('payment_intent') },
  transfer: {
    balance_transaction: transaction,
    destination: account,
    destination_payment: received,
    source_transaction: object('charge'),
  },
  transfer_reversal: { balance_transaction: transaction, transfer: object('transfer') },
  payout: { balance_transaction: transaction, failure_balance_transaction: transaction },
  topup: { balance_transaction: transaction },
  balance_transaction: { source: anyObject },
}

export function expand(tx: Tx, answer: object, paths: readonly string[]): object {
  return paths.reduce((expanded, path) => expandPath(tx, expanded, path.split('.'), path), answer)
}

function expandPath(tx: Tx, value: unknown, steps: string[], path: string): object {
  const [step, ...rest] = steps
  if (!isRecord(value) || step === undefined) return value as object
  if (path.split('.').length > DEPTH_MAX + (path.startsWith('data.') ? 1 : 0))
    throw invalidParameter(
      `You cannot expand more than ${DEPTH_MAX} levels of a property. Property: ${path}.`,
      'parameter_invalid',
      'expand',
    )
  if (step === 'data' && value.object === 'list')
    return {
      ...value,
      data: (value.data as unknown[]).map((item) => expandPath(tx, item, rest, path)),
    }
  const expansion = EXPANSIONS[String(value.object)]?.[step]
  if (expansion === undefined)
    throw invalidParameter(
      `This property cannot be expanded (${path}).`,
      'parameter_invalid',
      'expand',
    )
  const now = value[step]
  const found =
    typeof now === 'string' || now === undefined ? expansion(tx, String(now), value) : now
  if (found === undefined || found === null) return value
  return { ...value, [step]: rest.length === 0 ? found : expandPath(tx, found, rest, path) }
}
