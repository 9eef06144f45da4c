/** Forged requests to the processor's webhook addresses: made up, altered, or genuine but stale. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../harness.ts'
import { chanceOf } from './chance.ts'
import { type Address, post, secretOf, signature } from './notify.ts'
import type { World } from './world.ts'

const PAUSE_MS = 100
const LOOK_EVERY = 20
/** The processor's signatures are valid for five minutes. */
const STALE_MS = 301_000
const ADDRESSES: Address[] = ['account', 'connect', 'v2']

/** Sends forgeries until it is stopped, and counts those that were accepted. */
export function startForging(world: World, seed: string) {
  const chance = chanceOf(seed)
  let isStopped = false
  let isFirst = true
  let told: { address: Address; event: Json }[] = []

  /** Collects genuine events to replay or alter. */
  async function listen(): Promise<void> {
    const { data } = await world.control('GET', 'events?limit=50')
    told = (data as Json[]).map(({ shape, account, event }) => ({
      address: shape === 'thin' ? 'v2' : account === 'platform' ? 'account' : 'connect',
      event,
    }))
  }

  async function forge(): Promise<void> {
    const { market } = world
    const now = market.now()
    const made = { address: chance.pick(ADDRESSES), event: invented(chance.integer(1, 1e9)) }
    const { address, event } = told.length > 0 ? chance.pick(told) : made
    const secret = secretOf(market, address)
    const body = JSON.stringify(event)
    const signed = signature(body, { secret, at: now })
    const altered = JSON.stringify({ ...event, id: `evt_altered${chance.integer(1, 1e9)}` })
    const others = ADDRESSES.filter((other) => other !== address)
    const other = chance.pick(others)
    const madeUp = JSON.stringify(made.event)

    const [kind, send] = chance.pick<[string, () => ReturnType<typeof post>]>([
      ['without a signature', () => post(market, made.address, madeUp, undefined)],
      [
        'signed with a secret of their own',
        () =>
          post(market, made.address, madeUp, signature(madeUp, { secret: 'whsec_guess', at: now })),
      ],
      [
        'signed with an empty secret',
        () => post(market, made.address, madeUp, signature(madeUp, { secret: '', at: now })),
      ],
      ['altered', () => post(market, address, altered, signed)],
      [
        'of an older scheme',
        () => post(market, address, body, signature(body, { secret, at: now, scheme: 'v0' })),
      ],
      ['sent to another address', () => post(market, other, body, signed)],
      [
        'replayed after its time',
        () => {
          const at = new Date(now.getTime() - STALE_MS)
          return post(market, address, body, signature(body, { secret, at }))
        },
      ],
    ])
    const { status } = await send()
    world.count(`forged: ${kind}`)
    if (status < 400) world.count('forged and accepted')
  }

  const forging = (async () => {
    for (let n = 0; !isStopped; n += 1) {
      if (n % LOOK_EVERY === 0 || isFirst) await listen()
      isFirst = told.length === 0
      await forge()
      await sleep(PAUSE_MS)
    }
  })()
  // `stop` rethrows the failure; this only prevents an unhandled rejection.
  forging.catch(() => {})

  return {
    async stop() {
      isStopped = true
      await forging
    },
  }
}

/** A forged credit of a million. */
function invented(number: number): Json {
  return {
    id: `evt_forged${number}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: 1_700_000_000,
    livemode: false,
    data: {
      object: {
        id: `cs_forged${number}`,
        object: 'checkout.session',
        amount_total: 100_000_000,
        payment_status: 'paid',
      },
    },
  }
}
