/**
 * Operations where header credentials do not count: the caller presents an emailed link, a password, a key or token in
 * the body, a signed link or a signature. Each is tried with every wrong credential, and once with the right one.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { filesOf } from '../../src/files/files.ts'
import type { AnyEndpoint } from '../../src/kit/endpoint.ts'
import { mintApiKey } from '../../src/kit/secrets.ts'
import { shutOutWorker } from '../../src/workers/shut-out.ts'
import { type Marketplace, PHOTO } from '../harness.ts'
import { type Address, secretOf, signature } from '../processor/notify.ts'
import type { World } from './callers.ts'
import type { Outcome } from './expect.ts'
import { nameOf, record, type Report, sendRequest } from './matrix.ts'
import { mailedLinks, makeObject } from '../requests.ts'
import { changedTables, takeSnapshot } from './snapshot.ts'
import { closeAlone } from '../decisions.ts'

const PASSWORD = 'correct horse battery staple'
const HOUR = 3_600_000

const refused = (status: number, code: string): Outcome => ({ status, code })
const INVALID_LINK = refused(400, 'invalid_mail_link')
const unknownLink = () => randomBytes(32).toString('base64url')
const newWorker = (market: Marketplace) => market.worker({ approvals: 100 })
const originOf = (market: Marketplace) => new URL(market.server.addresses.api!).origin

/** One request, and its declared outcome. */
interface Try {
  caller: string
  expected: Outcome
  path?: string
  body?: unknown
  headers?: Record<string, string>
}

interface Scene {
  market: Marketplace
  world: World
}

/** All cells of one such operation. */
export async function tryLinks(
  market: Marketplace,
  world: World,
  endpoint: AnyEndpoint,
): Promise<Report> {
  const report: Report = { cells: [], holes: [] }
  const operation = nameOf(endpoint)
  const tries = await triesOf({ market, world }, endpoint)
  const attempt = async ({ caller, expected, path = endpoint.path, body, headers = {} }: Try) => {
    const method = String(endpoint.method)
    const isText = typeof body === 'string'
    const { status, text } = await sendRequest(
      market,
      { method, path, headers: {}, body: isText ? Buffer.from(body) : body },
      { ...(isText ? { 'content-type': 'application/json' } : {}), ...headers },
    )
    const code = status >= 400 ? /"code":"(\w+)"/.exec(text)?.[1] : undefined
    record(report, { operation, caller, expected, got: { status, code }, text })
  }
  const refusedTries = tries.filter(({ expected }) => expected.status >= 400)
  const before = await takeSnapshot(market)
  for (const one of refusedTries) await attempt(one)
  // A correct password creates a link to the page about a suspension.
  const changed = changedTables(before, await takeSnapshot(market)).filter(
    (table) => !(endpoint.access?.by === 'password' && table === 'objection_links'),
  )
  if (changed.length > 0)
    report.holes.push({
      operation,
      caller: refusedTries.map(({ caller }) => caller).join(' or '),
      why: `a refused call changed ${changed.join(', ')}`,
    })
  for (const one of tries.filter(({ expected }) => expected.status < 400)) await attempt(one)
  return report
}

async function triesOf(scene: Scene, endpoint: AnyEndpoint): Promise<Try[]> {
  const { victim, others, endedKeys } = scene.world
  switch (endpoint.access?.by) {
    case 'mailed link':
    case 'mailed link once':
      return byMailedLink(scene, endpoint)
    case 'password':
      return byPassword(scene, endpoint)
    case 'signature':
      return bySignature(scene, endpoint)
    case 'signed link':
      return bySignedLink(scene)
    case 'key in the body':
      return inBody(scene, endpoint, 'api_key', refused(401, 'unknown_api_key'), {
        right: victim.agent.api_key,
        wrong: {
          garbage: 'garbage',
          'unknown key': mintApiKey('live', 1),
          'worker’s token': others.worker.token.slice(0, 200),
          ...endedKeys,
        },
      })
    case 'token in the body':
      return inBody(scene, endpoint, 'token', refused(401, 'invalid_token'), {
        right: await playToken(others.agent),
        wrong: {
          garbage: 'garbage',
          'a person’s token': others.worker.token,
          'a key': others.agent.test_api_key,
        },
      })
    default:
      throw new Error(`${nameOf(endpoint)} has no request in links.ts`)
  }
}

async function byMailedLink(scene: Scene, endpoint: AnyEndpoint): Promise<Try[]> {
  const { market, world } = scene
  const name = nameOf(endpoint)
  const no = INVALID_LINK
  const yes = { status: endpoint.success.status, code: undefined }
  if (name === 'POST /worker/objections/appeal') return byObjectionLink(scene, endpoint)
  const { links } = mailedLinks(market)
  const link = links[name]
  assert(link, `${name} has no link in server/test/requests.ts`)
  const { mint, carry } = link
  const gone = await mint(1)
  market.advance(2)
  const tries: Try[] = [
    { caller: 'unknown link', expected: no, ...carry(unknownLink()) },
    { caller: 'garbage as link', expected: no, ...carry('garbage') },
    { caller: 'expired link', expected: no, ...carry(gone) },
    {
      caller: 'worker’s token as link',
      expected: no,
      ...carry(world.victim.worker.token.slice(0, 200)),
    },
    { caller: 'key as link', expected: no, ...carry(world.victim.agent.api_key) },
  ]
  for (const [other, { mint: mintOther }] of Object.entries(links)) {
    const kind = (path: string) => path.replace(/^\w+ /, '').replace(/\/payout-account$/, '')
    if (kind(other) === kind(name)) continue
    tries.push({ caller: `link of ${other}`, expected: no, ...carry(await mintOther()) })
  }
  const right = await mint()
  tries.push({ caller: 'right link', expected: yes, ...carry(right) })
  if (endpoint.access?.by === 'mailed link once') {
    const used = await mint()
    const { status } = await sendRequest(
      market,
      { method: String(endpoint.method), path: endpoint.path, headers: {}, body: carry(used).body },
      carry(used).headers ?? {},
    )
    assert.equal(status, endpoint.success.status)
    tries.push({ caller: 'used link', expected: no, ...carry(used) })
  }
  return tries
}

/** An appeal with the link of an objection: the link must be of the worker who had the task. */
async function byObjectionLink({ market, world }: Scene, endpoint: AnyEndpoint): Promise<Try[]> {
  const { objectionLink } = mailedLinks(market)
  const worker = await newWorker(market)
  const task_id = await makeObject(market, 'disputed', { agent: world.others.agent, worker })
  const foreign = await objectionLink((await newWorker(market)).id)
  const token = await objectionLink(worker.id)
  const body = { task_id, statement: 'No' }
  return [
    { caller: 'unknown link', expected: INVALID_LINK, body: { ...body, token: unknownLink() } },
    {
      caller: 'another worker’s link',
      expected: refused(404, 'assignment_not_found'),
      body: { ...body, token: foreign },
    },
    {
      caller: 'right link',
      expected: { status: endpoint.success.status, code: undefined },
      body: { ...body, token },
    },
  ]
}

async function byPassword({ market, world }: Scene, endpoint: AnyEndpoint): Promise<Try[]> {
  const headers = { origin: originOf(market) }
  const yes = { status: endpoint.success.status, code: undefined }
  const lists = (code: string) => endpoint.errors.some((error) => error.code === code)
  const email = await signUp(market, 'active')
  const no = refused(401, 'invalid_password')
  return [
    ...[
      ['wrong password', email, 'wrong password', no] as const,
      ['unknown email', 'nobody@example.com', PASSWORD, no] as const,
      ['test worker', world.testW.email, PASSWORD, no] as const,
      [
        'unverified',
        await signUp(market, 'unverified'),
        PASSWORD,
        lists('email_not_verified') ? refused(403, 'email_not_verified') : yes,
      ] as const,
      [
        'suspended',
        await signUp(market, 'suspended'),
        PASSWORD,
        refused(403, 'worker_suspended'),
      ] as const,
      ['closed', await signUp(market, 'closed'), PASSWORD, refused(403, 'worker_closed')] as const,
      ['right password', email, PASSWORD, yes] as const,
    ].map(([caller, mail, password, expected]) => ({
      caller,
      expected,
      headers,
      body: { email: mail, password },
    })),
    ...(endpoint.setsCookie
      ? [
          {
            caller: 'right password, another site',
            expected: refused(403, 'wrong_origin'),
            headers: { origin: 'https://evil.example' },
            body: { email, password: PASSWORD },
          },
        ]
      : []),
  ]
}

async function signUp(
  market: Marketplace,
  status: 'unverified' | 'active' | 'suspended' | 'closed',
): Promise<string> {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  const { body, text } = await market.call('POST', '/worker/register', {
    body: { name: 'Ann', email, password: PASSWORD },
  })
  assert(body.worker, text)
  const { id } = body.worker as { id: string }
  if (status !== 'unverified')
    await market.call('POST', '/worker/verify', {
      body: { token: await mailedLinks(market).workerLink(id, 'verify') },
    })
  if (status === 'closed') await closeAlone(market)
  if (status === 'suspended' || status === 'closed')
    await market.db.transaction((tx) =>
      shutOutWorker(tx, {
        workerId: id,
        kind: status,
        reason: 'x',
        taskIds: [],
        operator: 'ada',
        config: market.server.config,
        now: market.now(),
      }),
    )
  return email
}

/** A credential in a field of the body. */
function inBody(
  { market }: Scene,
  endpoint: AnyEndpoint,
  field: string,
  no: Outcome,
  { right, wrong }: { right: string; wrong: Record<string, string> },
): Try[] {
  const origin = originOf(market)
  const yes = { status: endpoint.success.status, code: undefined }
  return [
    ...Object.entries(wrong).map(([caller, secret]) => ({
      caller,
      expected: no,
      headers: { origin },
      body: { [field]: secret },
    })),
    {
      caller: 'right one, another site',
      expected: refused(403, 'wrong_origin'),
      headers: { origin: 'https://evil.example' },
      body: { [field]: right },
    },
    { caller: 'right one', expected: yes, headers: { origin }, body: { [field]: right } },
  ]
}

async function bySignature({ market, world }: Scene, endpoint: AnyEndpoint): Promise<Try[]> {
  const address = endpoint.path.split('/').at(-1) as Address
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: address === 'v2' ? 'v2.core.event' : 'event',
    type: 'matrix.nothing',
    livemode: false,
    ...(address === 'connect' ? { account: 'acct_none' } : {}),
    created:
      address === 'v2' ? market.now().toISOString() : Math.floor(market.now().getTime() / 1000),
    data: { object: {} },
  })
  const secret = secretOf(market, address)
  const at = market.now()
  const no = refused(400, 'notification_refused')
  const signed = (value: string) => ({ 'stripe-signature': value })
  const other = secretOf(market, address === 'account' ? 'connect' : 'account')
  return [
    { caller: 'no signature', expected: no, body },
    {
      caller: 'owner’s key instead',
      expected: no,
      body,
      headers: { authorization: `Bearer ${world.victim.agent.api_key}` },
    },
    {
      caller: 'forged signature',
      expected: no,
      body,
      headers: signed(signature(body, { secret: 'whsec_guess', at })),
    },
    {
      caller: 'signature of another address',
      expected: no,
      body,
      headers: signed(signature(body, { secret: other, at })),
    },
    {
      caller: 'stale signature',
      expected: no,
      body,
      headers: signed(signature(body, { secret, at: new Date(at.getTime() - 301_000) })),
    },
    {
      caller: 'signature of another body',
      expected: no,
      body: `${body} `,
      headers: signed(signature(body, { secret, at })),
    },
    {
      caller: 'right signature',
      expected: { status: 200, code: undefined },
      body,
      headers: signed(signature(body, { secret, at })),
    },
  ]
}

async function bySignedLink({ market, world }: Scene): Promise<Try[]> {
  const { agent, worker } = world.victim
  const held = await makeObject(market, 'held', { agent, worker })
  const proof = await worker.post(`/worker/tasks/${held}/proof`, {
    text: 'Done',
    photos: [PHOTO],
  })
  assert(proof.status < 300, proof.text)
  const { id: fileId } = await market.db.reader
    .selectFrom('files')
    .select('id')
    .where('task_id', '=', held)
    .where('status', '=', 'ready')
    .executeTakeFirstOrThrow()
  const { links } = filesOf(market.server.config)
  const url = new URL(links.sign(fileId, new Date(market.now().getTime() + HOUR)))
  const path = `/files/${fileId}`
  const no = refused(403, 'invalid_link')
  const with_ = (changes: Record<string, string>, of = path) => {
    const query = new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...changes })
    return `${of}?${query}`
  }
  const authorization = `Bearer ${agent.api_key}`
  return [
    { caller: 'no signature', expected: refused(400, 'invalid_request'), path },
    {
      caller: 'owner’s key, no signature',
      expected: refused(400, 'invalid_request'),
      path,
      headers: { authorization },
    },
    {
      caller: 'forged signature',
      expected: no,
      path: with_({ signature: randomBytes(32).toString('base64url') }),
    },
    {
      caller: 'longer life',
      expected: no,
      path: with_({ expires: String(Number(url.searchParams.get('expires')) + 3600) }),
    },
    {
      caller: 'signature of another file',
      expected: no,
      path: with_({}, path.slice(0, -2) + (path.endsWith('00') ? '11' : '00')),
    },
    { caller: 'right link', expected: { status: 200, code: undefined }, path: with_({}) },
  ]
}

async function playToken(agent: World['others']['agent']): Promise<string> {
  const { body } = await agent.test.post('/test/workers', {})
  return body.token as string
}
