/** Print a link for an operator who can't sign in; in development, one that signs in at once. */
import { LINK_HOURS, linkTo, mintLink, type Purpose } from '../operators/links.ts'
import { choosePurpose } from '../operators/send-link.ts'
import { command, CommandRefused } from './command.ts'
import { findOperator } from './find-operator.ts'

export const operatorLink = command({
  name: 'operator link',
  takes: 'EMAIL [--sign-in]',
  does: 'print a link to create a passkey; --sign-in, in development only: to sign in',
  right: 'staff',
  printsSecret: true,
  flags: ['--sign-in'],
  async run(background, { words: [email], flags, by }) {
    const { db, clock, config } = background
    const signsIn = flags.has('--sign-in')
    if (signsIn && config.NODE_ENV === 'production')
      throw new CommandRefused('In production, no link signs in: leave out --sign-in')
    const operatorId = await findOperator(background, email)
    const now = clock.now()
    const { purpose, token } = await db.shards.global.transaction(async (tx) => {
      const usual = await choosePurpose(tx, { operatorId, by, now })
      const purpose: Purpose = signsIn ? 'sign_in' : usual
      return { purpose, token: await mintLink(tx, { operatorId, purpose, by, now }) }
    })
    return { data: { email, purpose, link: linkTo(config, purpose, token), hours: LINK_HOURS } }
  },
})
