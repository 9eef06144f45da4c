import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { marketplace } from '../harness.ts'
import { signUp } from '../people.ts'
import { openPhone } from './phone.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-web-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>A page of ours</title>')
const market = await marketplace({ mail: true, settings: { WEB_DIR: folder } })
const { origin, port } = new URL(market.server.addresses.api!)
/** The same machine under another name, which a browser treats as another site. */
const elsewhere = `http://localhost:${port}`

test('a real browser hides the session cookie from scripts, and other sites cannot use it', async () => {
  const person = await signUp(market)
  const phone = await openPhone()
  const { page, context } = phone
  const send = (method: string, url: string, body?: unknown) =>
    page.evaluate(
      async (given) => {
        const { url: target, ...init } = given
        const response = await fetch(target, init).catch(() => undefined)
        return { status: response?.status, text: await response?.text() }
      },
      {
        url,
        method,
        credentials: 'include' as const,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      },
    )
  const credentials = { email: person.email, password: person.password }

  await page.goto(`${origin}/log-in`)
  const begun = await send('POST', '/api/v1/worker/session', credentials)
  const seen = await page.evaluate('document.cookie')
  await page.reload()
  const session = await send('GET', '/api/v1/worker/session')
  const changed = await send('PUT', '/api/v1/worker/profile', { name: 'Ada' })
  const [cookie] = await context.cookies(origin)

  // A cross-site form submits without a preflight; it must not change the worker's data.
  await page.goto(`${elsewhere}/log-in`)
  const foreign = await send('PUT', `${origin}/api/v1/worker/profile`, { name: 'Eve' })
  await page.goto(origin)
  const after = await send('GET', '/api/v1/worker/profile')
  const ended = await send('DELETE', '/api/v1/worker/session')
  const left = await context.cookies(origin)
  // Not `phone.close()`: the browser rightly logs the requests that it refused.
  await context.close()

  assert.equal(begun.status, 200)
  assert.equal(seen, '')
  assert.equal(JSON.parse(session.text!).worker.id, person.id)
  assert.equal(changed.status, 200)
  assert.equal(cookie!.name, '__Host-legwork')
  assert.deepEqual([cookie!.httpOnly, cookie!.secure, cookie!.sameSite], [true, true, 'Lax'])
  assert.equal(foreign.status, undefined, 'the browser did not even send it')
  assert.equal(JSON.parse(after.text!).worker.name, 'Ada')
  assert.equal(ended.status, 200)
  assert.deepEqual(left, [])
})
