/** `node sandbox/src/main.ts`: runs the sandbox until it is stopped. sandbox/README.md lists its settings. */
import { startSandbox } from './server.ts'

const {
  SANDBOX_PORT = '12111',
  SANDBOX_HOST,
  SANDBOX_FILE,
  SANDBOX_TOKEN,
  SANDBOX_PUBLIC_URL,
} = process.env

const port = Number(SANDBOX_PORT)
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  throw new Error(`SANDBOX_PORT is not a port: ${SANDBOX_PORT}`)

const sandbox = await startSandbox({
  port,
  ...(SANDBOX_HOST ? { host: SANDBOX_HOST } : {}),
  file: SANDBOX_FILE || undefined,
  token: SANDBOX_TOKEN || undefined,
  publicUrl: SANDBOX_PUBLIC_URL?.replace(/\/+$/, '') || undefined,
})
console.log(`The sandbox listens on ${sandbox.url}. No real money moves here.`)
if (!SANDBOX_TOKEN) console.log(`Its control token is ${sandbox.token}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void sandbox.stop()
  })
