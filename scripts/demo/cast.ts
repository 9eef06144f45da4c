/** Registers agents and workers, confirms their email addresses, makes deposits and connects bank accounts. */
import assert from 'node:assert/strict'
import { linksIn } from '../inbox.ts'
import { type Body, call, type Client, openPage, send, until, withKey } from '../visitor.ts'
import { QUARTERS } from './city.ts'
import { type AgentName, AGENTS, PASSWORD, WORKERS } from './people.ts'
import type { Market } from './stage.ts'

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123' }
/** A busy machine may be slow. */
const PATIENT = { seconds: 60 }

export interface Agent extends Client {
  id: string
  apiKey: string
}

export interface Worker extends Client {
  id: string
}

export async function registerAgent(
  market: Market,
  name: AgentName,
  index: number,
): Promise<Agent> {
  const { api } = market
  const email = `${name}@example.com`
  // Addresses of the ranges that are reserved for documentation.
  const from = `198.51.100.${index + 1}`
  const { agent } = await call(api, 'POST', '/agents/register', {
    from,
    body: { name: AGENTS[name].name, email },
  })
  const link = await linkTo(market, email)
  const token = new URLSearchParams(link.hash.slice(1)).get('token')!
  await call(api, 'POST', '/agents/verify', { from, body: { token } })
  const apiKey = agent.api_key as string
  return { id: agent.id as string, apiKey, ...withKey(api, apiKey, { from }) }
}

/** Pays on the processor's page and waits until the wallet is credited. */
export async function payIn(agent: Agent, cents: number, name: AgentName): Promise<void> {
  const before = await agent.get('/wallet')
  const { checkout_url } = await agent.post('/wallet/deposit', { amount_cents: cents })
  const checkout = await openPage(checkout_url as string)
  await send(checkout, { ...CARD, name: AGENTS[name].name })
  await until(async () => {
    const { balance_cents } = await agent.get('/wallet')
    return balance_cents >= before.balance_cents + cents ? true : undefined
  }, PATIENT)
}

/** Registers, follows the link in the email, logs in, and fills in the profile. */
export async function joinAs(market: Market, index: number): Promise<Worker> {
  const { api } = market
  const { name, email, quarter, skills, languages, radiusKm } = WORKERS[index]!
  const from = `203.0.113.${index + 1}`
  const { worker } = await call(api, 'POST', '/worker/register', {
    from,
    body: { name, email, password: PASSWORD },
  })
  const token = (await linkTo(market, email)).searchParams.get('token')!
  await call(api, 'POST', '/worker/verify', { from, body: { token } })
  const login = { from, body: { email, password: PASSWORD } }
  const { token: jwt } = await call(api, 'POST', '/worker/login', login)
  const client = withKey(api, jwt as string, { from })
  const home = QUARTERS.find((one) => one.name === quarter)!
  await client.put('/worker/profile', {
    skills,
    languages,
    location: { label: `Hamburg-${quarter}`, lat: home.lat, lng: home.lng, radius_km: radiusKm },
  })
  return { id: worker.id as string, ...client }
}

/** Gives the processor their details and bank account on its page. */
export async function connectBank(worker: Worker, index: number): Promise<void> {
  const { onboarding_url } = await worker.post('/worker/stripe/connect')
  const form = await openPage(onboarding_url as string)
  const born = {
    month: String((index % 12) + 1),
    day: String(index + 3),
    year: String(1975 + index),
  }
  await send(form, { name: WORKERS[index]!.name, ...born })
  await until(async () => {
    const { status } = await worker.get('/worker/stripe/status')
    return status === 'active' ? true : undefined
  }, PATIENT)
}

/** The processor's scheduled payout: everything on the worker's account goes to their bank, and arrives. */
export async function payToBank({ processor }: Market, worker: Worker): Promise<void> {
  const { account_id } = await worker.get('/worker/stripe/status')
  const balance = await fetch(`${processor.url}/v1/balance`, {
    headers: {
      authorization: `Bearer ${processor.settings.STRIPE_SECRET_KEY}`,
      'stripe-account': account_id as string,
    },
  })
  const { available } = (await balance.json()) as { available: { amount: number }[] }
  if (!available.some(({ amount }) => amount > 0)) return
  const payout = (await processor.control('POST', `accounts/${account_id}/payout`)) as Body
  await processor.control('POST', `payouts/${payout.id}`, { status: 'paid' })
}

async function linkTo({ mails }: Market, email: string): Promise<URL> {
  const mail = await until(() => mails.find(({ to }) => to.includes(email)), PATIENT)
  const [link] = linksIn(mail.text)
  assert(link, `there is no link in the email to ${email}`)
  return new URL(link)
}
