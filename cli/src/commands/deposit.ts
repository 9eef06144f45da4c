/** `deposit 20.00`: prints the link to the payment processor's page; in test mode, adds play money immediately. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { dollars, readCents } from '../words.ts'

export const deposit = command({
  name: 'deposit',
  takes: 'AMOUNT',
  summary: 'Add money: prints the page on which you pay; in test mode it is there at once',
  details: ['AMOUNT is in dollars, as 20.00, or in cents, as 2000c; at least 5.00.'],
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
          'The money is in your wallet when the payment processor has confirmed it.',
        ]
    print.step({ type: 'deposit', ...made }, ...lines)
    print.next('Then', 'wallet')
    return EXIT.done
  },
})
