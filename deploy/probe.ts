/**
 * `node deploy/probe.ts /readyz [seconds]`: exits with 0 if the server of this environment answers the path on its ops
 * port with 200. With seconds, it tries that long. The image has no shell and no curl for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 4_000
const PAUSE_MS = 250

const [path = '/healthz', seconds = '0'] = process.argv.slice(2)
const { HOST = '127.0.0.1', OPS_PORT = '9090' } = process.env
const url = `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${OPS_PORT}${path}`
const endsAt = performance.now() + Number(seconds) * 1000

let answer = await ask()
while (!answer.isOk && performance.now() < endsAt) {
  await sleep(PAUSE_MS)
  answer = await ask()
}
console.log(`${url}: ${answer.text}`)
process.exitCode = answer.isOk ? 0 : 1

async function ask(): Promise<{ isOk: boolean; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { isOk: response.ok, text: `${response.status} ${(await response.text()).trim()}` }
  } catch (error) {
    return { isOk: false, text: String(error) }
  }
}
