/**
 * The chart of accounts. An account is a code of this table plus its owner; every account in the ledger is defined here
 * and nowhere else.
 *
 * `normal` is the side on which the account grows. `guard` says what keeps it from becoming negative: a running
 * `balance` that ledger_post checks, the `sum` of the owner's few lines, or nothing (it mirrors the outside world, or
 * is only ever summed up).
 */
export const ACCOUNTS = {
  'asset:processor_balance': { normal: 'debit', owner: 'shard', guard: 'none' },
  'asset:agent_receivable': { normal: 'debit', owner: 'agent', guard: 'balance' },
  'asset:worker_receivable': { normal: 'debit', owner: 'worker', guard: 'balance' },
  'liab:agent_wallet': { normal: 'credit', owner: 'agent', guard: 'balance' },
  'liab:escrow': { normal: 'credit', owner: 'task', guard: 'sum' },
  'liab:worker_payable': { normal: 'credit', owner: 'worker', guard: 'balance' },
  'liab:payout_in_transit': { normal: 'credit', owner: 'ref', guard: 'balance' },
  'liab:refund_in_transit': { normal: 'credit', owner: 'ref', guard: 'balance' },
  'liab:clearing': { normal: 'credit', owner: 'shard', guard: 'none' },
  'liab:suspense': { normal: 'credit', owner: 'shard', guard: 'none' },
  'rev:commission': { normal: 'credit', owner: 'shard', guard: 'none' },
  'exp:processor_fees': { normal: 'debit', owner: 'shard', guard: 'none' },
  'exp:dispute_fees': { normal: 'debit', owner: 'shard', guard: 'none' },
  'exp:promo': { normal: 'debit', owner: 'shard', guard: 'none' },
  'exp:bad_debt': { normal: 'debit', owner: 'shard', guard: 'none' },
  'exp:goodwill': { normal: 'debit', owner: 'shard', guard: 'none' },
  'eq:operator_funding': { normal: 'credit', owner: 'shard', guard: 'none' },
  'eq:operator_withdrawals': { normal: 'debit', owner: 'shard', guard: 'none' },
} as const

export type Account = keyof typeof ACCOUNTS

/**
 * `agent` is not an account but the only way to credit or charge an agent: ledger_post uses a credit to repay debt
 * before it reaches the wallet, and a charge takes from the wallet before it becomes debt.
 */
export type Side = Account | 'agent'
