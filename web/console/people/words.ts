import type { Role } from './queries.ts'

/** The roles, with the rights that a person should know before choosing one. */
export const ROLES: Record<Role, { label: string; may: string }> = {
  owner: { label: 'Owner', may: 'Everything, including people' },
  developer: {
    label: 'Developer',
    may: 'Create tasks, manage keys and webhooks, and do everything in test mode. No deposits, verdicts or people',
  },
  reviewer: {
    label: 'Reviewer',
    may: 'See tasks and proofs, approve, dispute, request revisions, respond to appeals and cancel',
  },
  finance: {
    label: 'Finance',
    may: 'See the wallet and tasks without their proofs, and make deposits',
  },
}

export const ROLE_OPTIONS = (Object.keys(ROLES) as Role[]).map((value) => ({
  value,
  label: ROLES[value].label,
}))

/** A description of each operation, by its name. */
const OPERATIONS: Record<string, string> = {
  createTask: 'Created a task',
  createVerification: 'Created a task',
  createCall: 'Created a task',
  createGutCheck: 'Created a task',
  createFieldTask: 'Created a task',
  createEscalation: 'Created a task',
  createVibeCheck: 'Created a task',
  approveTask: 'Approved a task',
  disputeTask: 'Disputed a task',
  withdrawDispute: 'Withdrew a dispute',
  requestRevision: 'Requested a revision',
  cancelTask: 'Canceled a task',
  createDeposit: 'Started a deposit',
  createKey: 'Created an API key',
  updateKey: 'Changed an API key',
  rotateKey: 'Rotated an API key',
  deleteKey: 'Revoked an API key',
  updateAgent: 'Changed the settings',
  invitePerson: 'Invited a person',
  updatePerson: 'Changed a person',
  removePerson: 'Removed a person',
  leaveAgent: 'Left',
}

/** Operations without a text of their own are shown by name: `pingWebhook` as "Ping webhook". */
export function operationWords(operation: string): string {
  const words = operation.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return OPERATIONS[operation] ?? words[0]!.toUpperCase() + words.slice(1)
}
