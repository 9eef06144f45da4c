/** The card numbers that the processor publishes for tests, and the result of each. */
import { createHash } from 'node:crypto'
import type { Decline, Means, PayerDetails } from './payments.ts'

interface TestCard {
  number: string
  brand: string
  /** The label of the card in the list of test cards: the outcome it demonstrates. */
  label: string
  decline?: Decline
  /** The bank asks the payer to confirm first. */
  asksFirst?: boolean
  /** The payer immediately disputes the charge. */
  isDisputed?: boolean
  bypassesDelay?: boolean
}

/** Stands for a card of one's own: each payer has another one. */
const EXAMPLE = '4242424242424242'

export const TEST_CARDS: readonly TestCard[] = [
  { number: EXAMPLE, brand: 'visa', label: 'Succeeds' },
  { number: '5555555555554444', brand: 'mastercard', label: 'Succeeds' },
  {
    number: '4000000000000077',
    brand: 'visa',
    label: 'Succeeds, with funds available at once',
    bypassesDelay: true,
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    label: 'Declined',
    decline: {
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'Your card was declined.',
    },
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    label: 'Declined: insufficient funds',
    decline: {
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    label: 'Declined: expired',
    decline: {
      code: 'expired_card',
      declineCode: 'expired_card',
      message: 'Your card has expired.',
    },
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    label: 'Requires confirmation by the payer',
    asksFirst: true,
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    label: 'Succeeds, then is disputed',
    isDisputed: true,
  },
]

export const UNANSWERED: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_required',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

export const UNKNOWN_CARD: Decline = {
  code: 'incorrect_number',
  declineCode: 'incorrect_number',
  message: 'Your card number is incorrect. The sandbox accepts only test cards.',
}

export const findCard = (number: string) =>
  TEST_CARDS.find((card) => card.number === number.replaceAll(/\D/g, ''))

export const meansOf = (card: TestCard, { email }: PayerDetails): Means => ({
  type: 'card',
  brand: card.brand,
  last4: card.number.slice(-4),
  fingerprint: fingerprintOf(card.number === EXAMPLE ? `${card.number} ${email}` : card.number),
  ...(card.bypassesDelay ? { bypassesDelay: true } : {}),
})

const fingerprintOf = (card: string) =>
  createHash('sha256').update(card).digest('base64url').slice(0, 16)

export const BANK_DEBIT: Means = { type: 'us_bank_account', last4: '6789' }

export const DEBIT_FAILED: Decline = {
  code: 'payment_method_provider_decline',
  declineCode: 'insufficient_funds',
  message: 'The bank rejected the debit: the account has insufficient funds.',
}
