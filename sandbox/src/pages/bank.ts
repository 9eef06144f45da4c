/** A worker's bank account: form fields, parsing and validation. */
import { type Fields, field, type Problems } from './forms.ts'
import { html, type Html } from './html.ts'

/** The processor's test bank account; the numbers belong to nobody. */
export const TEST_BANK = { routing: '110000000', account: '000123456789' }

export interface Bank {
  routing: string
  account: string
}

export function readBank(fields: Fields): { bank: Bank; problems: Problems } {
  const routing = fields('routing').replaceAll(/[\s-]/g, '')
  const account = fields('account').replaceAll(/[\s-]/g, '').toUpperCase()
  const problems: Problems = {}
  if (!/^\d{6,9}$/.test(routing))
    problems.routing = 'A routing number has 9 digits; a sort code has 6.'
  if (!/^[A-Z0-9]{4,34}$/.test(account))
    problems.account = 'An account number has 4 to 34 digits or letters.'
  return { bank: { routing, account }, problems }
}

export function bankFields({ fields, problems }: { fields: Fields; problems: Problems }): Html {
  return html`<div class="stack">
${field({
  name: 'routing',
  label: 'Routing number',
  value: fields('routing'),
  problem: problems.routing,
  inputmode: 'numeric',
  autocomplete: 'off',
  maxlength: 12,
})}
${field({
  name: 'account',
  label: 'Account number',
  value: fields('account'),
  problem: problems.account,
  hint: `For tests: ${TEST_BANK.routing} and ${TEST_BANK.account}.`,
  autocomplete: 'off',
  maxlength: 40,
})}
</div>`
}
