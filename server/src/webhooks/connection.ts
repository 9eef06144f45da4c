/**
 * A connection to an agent's server. The host is resolved once, and the checked address is the one we connect to. A
 * second lookup could return a different address (DNS rebinding).
 */
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { Config } from '../config.ts'
import { findWay, hostOf } from './addresses.ts'

const ADDRESSES_TRIED_MAX = 4
const ADDRESS_MS_MAX = 3000

/** Starts a connection to an address that was already checked. */
export type Dial = (to: { address: string; port: number }) => Socket

export const dialTcp: Dial = ({ address, port }) => connectTcp({ host: address, port })

/** The message is shown to the agent. */
export class Unreachable extends Error {}

export async function openConnection(
  config: Config,
  origin: URL,
  { dial, secureContext }: { dial: Dial; secureContext: SecureContext },
): Promise<Socket> {
  const endsAt = performance.now() + config.WEBHOOK_TIMEOUT_MS
  const leftMs = () => Math.max(1, Math.floor(endsAt - performance.now()))
  const way = await findWay(config, origin)
  if ('refused' in way) throw new Unreachable(`the URL ${way.refused}`)
  if ('unresolved' in way) throw new Unreachable('the host name does not resolve')

  const isSecure = origin.protocol === 'https:'
  const port = Number(origin.port) || (isSecure ? 443 : 80)
  try {
    const socket = await dialOneOf(way.addresses, { dial, port, leftMs })
    if (!isSecure) return socket
    return await secure(socket, { host: hostOf(origin), secureContext, ms: leftMs() })
  } catch (error) {
    // The call's own timer fires at about the same time and must report the same error.
    if ((error as Error).name === 'AbortError')
      throw new Unreachable(outOfTime(config.WEBHOOK_TIMEOUT_MS))
    throw error
  }
}

export const outOfTime = (ms: number) => `no response within ${ms / 1000} s`

async function dialOneOf(
  addresses: string[],
  { dial, port, leftMs }: { dial: Dial; port: number; leftMs(): number },
): Promise<Socket> {
  let failure: unknown
  const tried = addresses.slice(0, ADDRESSES_TRIED_MAX)
  for (const [index, address] of tried.entries()) {
    const isLast = index === tried.length - 1
    const ms = isLast ? leftMs() : Math.min(ADDRESS_MS_MAX, leftMs())
    try {
      return await opened(dial({ address, port }), 'connect', ms)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function secure(
  socket: Socket,
  { host, secureContext, ms }: { host: string; secureContext: SecureContext; ms: number },
): Promise<Socket> {
  const secured = connectTls({
    socket,
    // The certificate must match the host name, or the IP address if the URL has no name.
    host,
    servername: isIP(host) === 0 ? host : '',
    secureContext,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  try {
    return await opened(secured, 'secureConnect', ms)
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Unreachable(wordsFor(error as NodeJS.ErrnoException))
  }
}

async function opened(socket: Socket, event: string, ms: number): Promise<Socket> {
  // Keep this listener until the HTTP client adds its own: an unhandled 'error' event ends the process.
  socket.on('error', () => undefined)
  try {
    await once(socket, event, { signal: AbortSignal.timeout(ms) })
    return socket.setNoDelay(true)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function wordsFor({ code = '', message }: NodeJS.ErrnoException): string {
  if (['ECONNRESET', 'EPIPE'].includes(code))
    return 'the connection was closed during the TLS handshake'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return 'a TLS connection can’t be established'
  // The text after the semicolon is advice for the operator of this server, not for the agent.
  return `the certificate is not valid: ${message.split(';')[0]}`
}
