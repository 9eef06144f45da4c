/**
 * The table of limits, as data, and the name under which a client address is counted.
 *
 * The numbers are defaults: a deployment passes its own as settings, and tests do the same.
 */
import assert from 'node:assert/strict'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { LimitName } from '../kit/endpoint.ts'

/** Endpoints name most limits; the other two count every request. */
export type PolicyName = LimitName | 'global' | 'address'

export interface Policy {
  name: PolicyName
  limit: number
  windowMs: number
}

/** One count that a request must fit into: a policy, and whose log it is kept in. */
export interface Check {
  policy: Policy
  key: string
}

export type Policies = Record<PolicyName, Policy>
export type LimitSettings = Partial<Record<PolicyName, { limit: number; windowMs: number }>>

const minute = 60_000

const defaults: Record<PolicyName, { limit: number; windowMs: number }> = {
  // Per agent or worker when authenticated, else per client address.
  global: { limit: 100, windowMs: minute },
  // Per client address over all identities, so that many keys behind one machine are one client.
  address: { limit: 1_000, windowMs: minute },
  // Per API key.
  create: { limit: 30, windowMs: minute },
  // Per client address. Agents, workers and test agents each have their own counter: thousands of phones can share the
  // IPv4 address of a carrier, and one kind of account must not use up the registrations of another.
  register: { limit: 20, windowMs: 60 * minute },
  register_worker: { limit: 20, windowMs: 60 * minute },
  register_test_agent: { limit: 20, windowMs: 60 * minute },
  // Per client address and, where the body names an e-mail address, per account as well. Workers, the console and the
  // app's test workers each have their own counter.
  login: { limit: 10, windowMs: 15 * minute },
  login_console: { limit: 10, windowMs: 15 * minute },
  login_play: { limit: 10, windowMs: 15 * minute },
  // Per client address and, as a second check, per e-mail address, whether or not an agent has it.
  recover: { limit: 10, windowMs: 60 * minute },
  // Per client address, and the only limit there: the processor's notifications come in bursts from few addresses.
  notify: { limit: 6_000, windowMs: minute },
}

/** The policies of a deployment: the defaults with its settings laid over them. */
export function policies(settings: LimitSettings = {}): Policies {
  return {
    global: policy('global', settings),
    address: policy('address', settings),
    create: policy('create', settings),
    register: policy('register', settings),
    register_worker: policy('register_worker', settings),
    register_test_agent: policy('register_test_agent', settings),
    login: policy('login', settings),
    login_console: policy('login_console', settings),
    login_play: policy('login_play', settings),
    recover: policy('recover', settings),
    notify: policy('notify', settings),
  }
}

function policy(name: PolicyName, settings: LimitSettings): Policy {
  const { limit, windowMs } = settings[name] ?? defaults[name]
  assert(Number.isSafeInteger(limit) && limit >= 1, `limit ${name}: ${limit} is not 1 or more`)
  // RateLimit-Policy has no fractions of a second, and it must not tell an untruth.
  assert(
    Number.isSafeInteger(windowMs) && windowMs >= 1_000 && windowMs % 1_000 === 0,
    `limit ${name}: a window of ${windowMs} ms is not a whole number of seconds`,
  )
  return { name, limit, windowMs }
}

/**
 * The name under which a client address is counted, the same for every spelling of it.
 *
 * IPv6 is counted by /64, since that is what one subscriber is given: by single address, anyone
 * has 2^64 of them. What is no address shares one name: it must not be a way around the limit.
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

/** The same name, but none for an address within a machine or a house, which says nothing of who it is. */
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
