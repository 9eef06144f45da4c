/** Check the chain of the audit log. */
import { checkChain } from '../operators/audit-chain.ts'
import { command, Misunderstood } from './command.ts'

export const auditLogVerify = command({
  name: 'audit-log verify',
  takes: '[--head NUMBER:HASH]',
  does: 'find the first changed or missing row; --head: a head from the nightly log line',
  right: 'staff',
  isLook: true,
  options: ['--head'],
  async run({ db, clock }, { options: { '--head': word } }) {
    const known = word === undefined ? undefined : headOf(word)
    const data = await checkChain(db.shards.global, { known, now: clock.now() })
    return { data, isBad: data.first_wrong !== null }
  },
})

function headOf(word: string) {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(word) ?? []
  if (hash === undefined) throw new Misunderstood('Give the head as NUMBER:HASH')
  return { seq: Number(seq), hash }
}
