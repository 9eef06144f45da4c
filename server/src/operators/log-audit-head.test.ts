import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { logAuditHead } from './log-audit-head.ts'

const market = await marketplace({ roles: ['desk'] })

/** Runs the job and returns what it logged. */
async function logged() {
  const lines: { level: string; about: Record<string, unknown>; message: string }[] = []
  const write = (level: string) => (about: Record<string, unknown>, message: string) =>
    void lines.push({ level, about, message })
  const log = { ...market.background.log, info: write('info'), error: write('error') }
  await logAuditHead.run({
    ...market.background,
    log: log as typeof market.background.log,
    payload: undefined,
  })
  return lines
}

test('every night the head of a whole chain is logged, and a broken chain as an error', async () => {
  const admin = await signIn(market, 'admin')
  await admin.post('/operators', { email: 'new@desk.example', name: 'New' })
  const whole = await logged()
  await market.asOwner('alter table audit_log disable trigger user')
  await market.asOwner(`update audit_log set action = 'operator.enable' where seq = 1`)

  const broken = await logged()

  const [row] = await market.asOwner('select seq, hash from audit_log order by seq desc limit 1')
  assert.deepEqual(whole, [
    {
      level: 'info',
      about: { rows: Number(row!.seq), seq: Number(row!.seq), hash: row!.hash },
      message: 'audit log: the chain is whole',
    },
  ])
  assert.equal(broken[0]!.level, 'error')
  assert.equal(broken[0]!.about.seq, 1)
})
