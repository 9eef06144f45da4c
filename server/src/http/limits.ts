/**
 * The table of rate limits, and the key under which a client address is counted.
 *
 * The numbers are defaults. Deployments and tests override them with settings.
 */
import assert from 'node:assert/strict'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { LimitName } from '../kit/endpoint.ts'

/** Endpoints name most limits; `global` and `address` apply to every request. */
export type PolicyName = LimitName | 'global' | 'address'

export interface Policy {
  name: PolicyName
  limit: number
  windowMs: number
}

/** One limit that a request must fit into: a policy, and the key whose log it is counted in. */
export interface Check {
  policy: Policy
  key: string
}

export type Policies = Record<PolicyName, Policy>
export type LimitSettings = Partial<Record<PolicyName, { limit: number; windowMs: number }>>

const minute = 60_000

const defaults: Record<PolicyName, { limit: number; windowMs: number }> = {
  // Per agent or worker if authenticated, otherwise per client address.
  global: { limit: 100, windowMs: minute },
  // Per client address across all identities, so many API keys on one machine count as one client.
  address: { limit: 1_000, windowMs: minute },
  // Per API key.
  create: { limit: 30, windowMs: minute },
  // Per client address. Agents, workers, test agents and OAuth clients each have their own counter: thousands of phones
  // can share the IPv4 address of a carrier, and one kind must not use up the registrations of another.
  register: { limit: 20, windowMs: 60 * minute },
  register_worker: { limit: 20, windowMs: 60 * minute },
  register_test_agent: { limit: 20, windowMs: 60 * minute },
  register_client: { limit: 20, windowMs: 60 * minute },
  // Per client address and, if the body contains an email address, per account as well. Workers, the console and the
  // app's test workers each have their own counter.
  login: { limit: 10, windowMs: 15 * minute },
  login_console: { limit: 10, windowMs: 15 * minute },
  login_play: { limit: 10, windowMs: 15 * minute },
  // Per client address and, as a second check, per email address, whether or not an agent is registered with it.
  recover: { limit: 10, windowMs: 60 * minute },
  // Likewise, for links that log a person in to the console.
  log_in_link: { limit: 10, windowMs: 60 * minute },
  // Per client address: operators read every request.
  no_contact: { limit: 10, windowMs: 60 * minute },
  // Per worker: an export reads everything that the worker has.
  export: { limit: 5, windowMs: 60 * minute },
  // Per client address, with no other limit: the payment processor sends notifications in bursts from few addresses.
  notify: { limit: 6_000, windowMs: minute },
}

/** The defaults, overridden by the deployment's settings. */
export function policies(settings: LimitSettings = {}): Policies {
  return {
    global: policy('global', settings),
    address: policy('address', settings),
    create: policy('create', settings),
    register: policy('register', settings),
    register_worker: policy('register_worker', settings),
    register_test_agent: policy('register_test_agent', settings),
    register_client: policy('register_client', settings),
    login: policy('login', settings),
    login_console: policy('login_console', settings),
    login_play: policy('login_play', settings),
    recover: policy('recover', settings),
    log_in_link: policy('log_in_link', settings),
    no_contact: policy('no_contact', settings),
    export: policy('export', settings),
    notify: policy('notify', settings),
  }
}

function policy(name: PolicyName, settings: LimitSettings): Policy {
  const { limit, windowMs } = settings[name] ?? defaults[name]
  assert(Number.isSafeInteger(limit) && limit >= 1, `limit ${name}: ${limit} must be at least 1`)
  // RateLimit-Policy can't express fractions of a second, so the window must be whole seconds.
  assert(
    Number.isSafeInteger(windowMs) && windowMs >= 1_000 && windowMs % 1_000 === 0,
    `limit ${name}: the window of ${windowMs} ms must be a whole number of seconds`,
  )
  return { name, limit, windowMs }
}

/**
 * The key under which a client address is counted, identical for every spelling of the address.
 *
 * IPv6 addresses are counted per /64, which is what one subscriber gets: counted individually, anyone has 2^64 of them.
 * All invalid addresses share one key, so they are no way around the limit.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return 'unknown'

  const groups = ipv6Groups(ip)
  const [high = 0, low = 0] = groups.slice(6)
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMappedIpv4) return [high >> 8, high & 255, low >> 8, low & 255].join('.')

  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

const SHARED = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  SHARED.addSubnet(network, bits)
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  SHARED.addSubnet(network, bits, 'ipv6')

/** Like `addressKey`, but undefined for loopback and private addresses, which don't identify anyone. */
export function publicAddress(ip: string): string | undefined {
  const key = addressKey(ip)
  if (key === 'unknown') return undefined
  const isShared = isIPv4(key) ? SHARED.check(key) : SHARED.check(key.replace('/64', ''), 'ipv6')
  return isShared || key === '0:0:0:0::/64' ? undefined : key
}

function ipv6Groups(ip: string): number[] {
  const withoutZone = ip.replace(/%.*$/, '')
  const onlyHex = withoutZone.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  )
  const [front = [], back = []] = onlyHex.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  )
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}
