/** Invite an operator; the printed link replaces the email. The first operator is added in this way. */
import { z } from 'zod'
import { ROLES } from '../kit/rights.ts'
import { inviteOperator } from '../operators/add-operator.ts'
import { LINK_HOURS, linkTo, mintLink } from '../operators/links.ts'
import { command, Misunderstood, named } from './command.ts'

export const operatorAdd = command({
  name: 'operator add',
  takes: 'EMAIL NAME [ROLE]',
  does: `invite an operator and print the link: ${ROLES.join(', ')}`,
  right: 'staff',
  printsSecret: true,
  async run({ db, clock, config }, { words: [address, ...rest], by }) {
    const { data: email } = z.email().safeParse(named(address, 'an email'))
    if (email === undefined) throw new Misunderstood('Give a valid email')
    const last = ROLES.find((role) => role === rest.at(-1))
    const name = named((last ? rest.slice(0, -1) : rest).join(' '), 'a name').slice(0, 100)
    const role = last ?? 'viewer'
    const now = clock.now()
    const link = await db.shards.global.transaction(async (tx) => {
      const id = await inviteOperator(tx, { email, name, role, by, now })
      const token = await mintLink(tx, { operatorId: id, purpose: 'invitation', by, now })
      return linkTo(config, 'invitation', token)
    })
    return { data: { email, purpose: 'invitation' as const, link, hours: LINK_HOURS } }
  },
})
