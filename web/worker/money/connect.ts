/** Redirects to the payment processor's pages, which ask for a bank account and identity. */
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { Words } from '../problems.ts'
import type { Text } from '../text/use-text.tsx'
import type { PayoutAccount } from './queries.ts'

/** Opens the processor's onboarding with a fresh link, since each works only once. */
export function useConnect() {
  return useMutation({
    mutationFn: (body: { country?: string }) => api.post('/worker/stripe/connect', { body }),
    onSuccess: ({ onboarding_url }) => location.assign(onboarding_url),
  })
}

/** Opens the processor's dashboard: what has arrived there, and when it is paid to the bank. */
export function useDashboard() {
  return useMutation({
    mutationFn: () => api.post('/worker/stripe/dashboard'),
    onSuccess: ({ dashboard_url }) => location.assign(dashboard_url),
  })
}

/** Messages for failed redirects. */
export const PROBLEMS: Words = {
  payments_unavailable: 'payout.problem_payments_unavailable',
  processor_unavailable: 'payout.problem_processor_unavailable',
  account_refused: 'payout.problem_account_refused',
  account_rejected: 'payout.problem_account_rejected',
  account_closed: 'payout.problem_account_closed',
  test_worker: 'payout.problem_test_worker',
}

/** The processor's requirement names → ours. The first match counts. */
const ASKED = [
  ['terms', /tos_acceptance|terms|attestation/],
  ['document', /document|verification/],
  ['birth', /dob|date_of_birth/],
  ['idNumber', /id_number|ssn|tax_id/],
  ['address', /address/],
  ['bank', /external_account|bank|payout_method|outbound/],
  ['contact', /email|phone/],
  ['name', /name/],
  ['business', /business|mcc|product|url/],
] as const

/** Outstanding requirements in our words, without duplicates. */
export function askedFor({ requirements_due }: PayoutAccount, text: Text): string[] {
  const found = requirements_due.map((one) => ASKED.find(([, words]) => words.test(one))?.[0])
  return [...new Set(found)].map((one) => text(`payout.asked_${one ?? 'other'}`))
}
