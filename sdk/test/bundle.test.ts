import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const SDK = path.join(import.meta.dirname, '..')
const ENTRY = 'virtual:entry'

/** What a bundler makes of some code for a browser, in one piece. */
async function bundle(code: string): Promise<string> {
  const warnings: string[] = []
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    onLog: (level, log) => level === 'warn' && warnings.push(log.message),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? path.join(SDK, 'src/entry.js') : null),
        load: (id) => (id.endsWith('entry.js') ? code : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'iife', minify: true, codeSplitting: false })
  await build.close()
  assert.deepEqual(warnings, [])
  assert.equal(output.length, 1)
  assert(!/["'`]node:/.test(output[0].code), 'imports something of Node')
  return output[0].code
}

/** What browsers and edge runtimes have in common, and nothing of Node. */
const WEB = {
  AbortController,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  clearTimeout,
  console,
  crypto,
  setTimeout,
}

describe('the SDK core bundled for a browser', () => {
  test('posts a task, waits for it and verifies a webhook using only web APIs', async () => {
    const asked: string[] = []
    const task = { id: 'task_1', status: 'proof_submitted', proofs: [{ id: 'proof_1' }] }
    const fetch = (url: string, { method }: RequestInit) => {
      asked.push(`${method} ${url}`)
      return Promise.resolve(Response.json({ task }))
    }
    const code = await bundle(`
      import { Legwork, WebhookVerificationError } from './legwork.ts'
      import { LegworkWorker } from './worker.ts'
      globalThis.run = async () => {
        const legwork = new Legwork({ apiKey: 'lw_test_x' })
        const task = await legwork.verify({ question: 'Is it open?' })
        const done = await legwork.tasks.wait(task.id)
        const saved = await done.proofs[0].save('./proofs').catch((error) => error.message)
        const forged = await legwork.webhooks
          .verify('{}', { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,a' }, 'whsec_AAAA')
          .catch((error) => error instanceof WebhookVerificationError)
        return { saved, forged, worker: typeof new LegworkWorker().tasks.accept }
      }`)

    const context = createContext({ ...WEB, fetch })
    runInContext(code, context)
    const { saved, forged, worker } = await (runInContext('run()', context) as Promise<
      Record<string, unknown>
    >)

    assert.deepEqual(asked, [
      'POST https://legwork.example/api/v1/verify',
      'GET https://legwork.example/api/v1/tasks/task_1?media=url',
    ])
    assert.match(String(saved), /no file system/)
    assert.equal(forged, true)
    assert.equal(worker, 'function')
  })

  test('is small, and a bundle that only verifies webhooks contains nothing else', async () => {
    const sizeOf = async (code: string) => gzipSync(await bundle(code)).length
    const verify = await sizeOf(
      `import { verifyWebhook } from './legwork.ts'; globalThis.verify = verifyWebhook`,
    )
    const whole = await sizeOf(`import { Legwork } from './legwork.ts'; globalThis.L = Legwork`)

    assert(verify < 3 * 1024, `${verify} bytes`)
    assert(whole < 12 * 1024, `${whole} bytes`)
  })
})
