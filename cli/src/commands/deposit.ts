/** `deposit 20.00`: prints the link to the payment processor's page; in test mode, adds play money immediately. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { dollars, readCents } from '../words.ts'

export const deposit = command({
  name: 'deposit',
  takes: 'AMOUNT',
  summary: 'Add money: prints a link to the payment page; in test mode adds play money immediately',
  details: ['AMOUNT is in dollars (20.00) or cents (2000c), at least 5.00.'],
  options: {},
  words: [1, 1],

  async run({ words, print, legwork, apiKey }) {
    const amountCents = readCents(words[0]!, 'deposit')
    const made = await legwork().wallet.deposit({ amount_cents: amountCents })
    // Play money arrives immediately; there is no payment page.
    const lines = apiKey?.startsWith('lw_test_')
      ? [`${dollars(amountCents)} of play money added.`]
      : [
          `Pay ${dollars(amountCents)} here: ${made.checkout_url}`,
          'The money is added to your wallet when the payment processor confirms it.',
        ]
    print.step({ type: 'deposit', ...made }, ...lines)
    print.next('See your balance', 'wallet')
    return EXIT.done
  },
})
