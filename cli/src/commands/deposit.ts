/** `deposit 20.00`: a page of the payment processor on which one pays. */
import { command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { dollars, readCents } from '../words.ts'

export const deposit = command({
  name: 'deposit',
  takes: 'AMOUNT',
  summary: 'Add money: prints the page on which you pay',
  details: ['AMOUNT is in dollars, as 20.00, or in cents, as 2000c; at least 5.00.'],
  options: {},
  words: [1, 1],

  async run({ words, print, legwork }) {
    const amountCents = readCents(words[0]!, 'deposit')
    const made = await legwork().wallet.deposit({ amount_cents: amountCents })
    print.step(
      { type: 'deposit', ...made },
      `Pay ${dollars(amountCents)} here: ${made.checkout_url}`,
      'The money is in your wallet when the payment processor has confirmed it.',
    )
    print.next('Then', 'wallet')
    return EXIT.done
  },
})
