/** What an operator may do: each role has some rights, and every desk operation and shell command declares one. */

/** From the least to the most. A new operator is a viewer unless the invitation says otherwise. */
export const ROLES = ['viewer', 'support', 'trust', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const RIGHTS = {
  view: 'see queues, boards and records, with personal data masked',
  look: 'see an exact place, a proof, a phone number or an email; each look is logged with its reason',
  note: 'write notes, take cases and hand them over',
  answer: 'answer questions of workers and agents',
  rule: 'decide disputes, appeals, reports and objections; suspend workers and restrict agents',
  pay: 'decide payouts, refunds, money in suspense, write-offs and breaks of the books',
  switch: 'turn switches off and on',
  operate: 'retry jobs, pause receivers, move shards, declare restores, check the ledger',
  staff: 'invite operators, change roles, end sessions, set the limits for two persons',
} as const
export type Right = keyof typeof RIGHTS

const RIGHTS_OF: Record<Role, readonly Right[]> = {
  viewer: ['view'],
  support: ['view', 'look', 'note', 'answer'],
  trust: ['view', 'look', 'note', 'answer', 'rule'],
  finance: ['view', 'look', 'note', 'pay'],
  admin: ['view', 'look', 'note', 'answer', 'rule', 'pay', 'switch', 'operate', 'staff'],
}

export const rightsOf = (role: Role): readonly Right[] => RIGHTS_OF[role]

export const hasRight = (role: Role, right: Right): boolean => RIGHTS_OF[role].includes(right)
