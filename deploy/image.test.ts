/**
 * `npm run test:image`: builds the image by the Containerfile, and runs it as docs/deploy.md tells operators to: by a
 * user without rights, from a read-only root, without capabilities. scripts/containers.ts says where the base is from.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { imageStore, podman, serverImage, whyNoContainers } from '../scripts/containers.ts'
import { startMailbox } from '../scripts/inbox.ts'
import { freePort } from '../scripts/postgres.ts'
import { startSandbox } from '../sandbox/src/server.ts'
import { readConfig } from '../server/src/config.ts'
import { call } from '../server/test/harness.ts'
import { makeSecrets } from './make-secrets.ts'

type Json = any

const ROOT = path.join(import.meta.dirname, '..')
const SIZE_MAX_MB = 250
const USER = 10001
const BUILD = {
  VERSION: '1.2.3-test',
  REVISION: '0123456789abcdef',
  CREATED: '2026-01-02T03:04:05Z',
  SOURCE: 'https://example.com/legwork',
}
/** Not a literal: this file must not be what a search for it finds. */
const NPM_TOKEN = createHash('sha256').update('the token in npmrc').digest('hex')
/** Every way in which docs/deploy.md hardens a container. */
const HARDENED = [
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--pids-limit=256',
]
const PROGRAMS = ['usr/bin/prlimit', 'usr/bin/true', 'usr/bin/unshare', 'usr/local/bin/node']

const why = whyNoContainers()

describe('the image', { skip: why ? `${why}: nothing was built` : false, timeout: 900_000 }, () => {
  const name = `legwork-${randomBytes(4).toString('hex')}`
  const files = mkdtempSync(path.join(os.tmpdir(), 'legwork-image-'))
  const stops: (() => Promise<unknown>)[] = []
  let image: string
  /** Where the image's files can be read. */
  let root: string
  let env: Record<string, string>
  let seconds: number

  before(async () => {
    const began = performance.now()
    image = await serverImage(BUILD, [`//registry.invalid/:_authToken=${NPM_TOKEN}`])
    seconds = (performance.now() - began) / 1000
    root = (await podman(['image', 'mount', image])).trim()
    stops.push(() => podman(['image', 'unmount', image]))
    chownSync(files, USER, USER)
    env = await settings()
  })

  after(async () => {
    await podman(['rm', '--force', '--time=0', '--filter', `label=test=${name}`])
    for (const stop of stops.toReversed()) await stop()
    rmSync(files, { recursive: true, force: true })
  })

  /** The settings of an operator, with this test's own database, processor and mail server. */
  async function settings(): Promise<Record<string, string>> {
    const admin = new URL(process.env.TEST_DATABASE_URL!)
    const database = name.replace('-', '_')
    const client = new pg.Client({ connectionString: admin.href })
    await client.connect()
    const password = randomBytes(8).toString('hex')
    await client.query(`create database ${database}`)
    await client.query(`create role ${database} login password '${password}' in role legwork_app`)
    const url = new URL(admin)
    url.pathname = database
    const login = Object.assign(new URL(url), { username: database, password })
    stops.push(async () => {
      await client.query(`drop database ${database} with (force)`)
      await client.query(`drop role ${database}`)
      await client.end()
    })
    const sandbox = await startSandbox()
    const mailbox = await startMailbox()
    stops.push(sandbox.stop, mailbox.stop)
    const made = makeSecrets('systemd', { domain: 'example.com', email: 'ops@example.com' })
    const lines = made.split('\n').filter((line) => /^\w+=./.test(line))
    return {
      ...Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
      DATABASE_URL: login.href,
      MIGRATE_DATABASE_URL: url.href,
      REDIS_URL: process.env.TEST_REDIS_URL!,
      FILES_DIR: '/files',
      HOST: '127.0.0.1',
      TRUST_PROXY: '127.0.0.0/8',
      PASSWORD_BLOCKLIST: 'on',
      SMTP_URL: `${mailbox.url}/?ignoreTLS=true&requireTLS=false`,
      STRIPE_API_BASE: sandbox.url,
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_SECRETS_ACCOUNT: 'whsec_account',
      STRIPE_SECRETS_CONNECT: 'whsec_connect',
      STRIPE_SECRETS_V2: 'whsec_v2',
    }
  }

  const flags = (more: Record<string, string> = {}) => [
    `--label=test=${name}`,
    ...HARDENED,
    '--network=host',
    '--tmpfs=/tmp:size=512m,mode=1777',
    `--volume=${files}:/files`,
    ...Object.entries({ ...env, ...more }).map(([key, value]) => `--env=${key}=${value}`),
  ]
  const runOnce = (...args: string[]) => podman(['run', '--rm', ...flags(), image, ...args])

  async function start(role: string) {
    const [port, ops] = [await freePort(), await freePort()]
    const id = `${name}-${role}`
    const ports = { PORT: String(port), OPS_PORT: String(ops) }
    const { MIGRATE_DATABASE_URL: _, ...others } = env
    env = others
    await podman(['run', '--detach', `--name=${id}`, ...flags(ports), image, role])
    const began = performance.now()
    while (!(await isOk(`http://127.0.0.1:${ops}/readyz`))) {
      assert(performance.now() - began < 30_000, await podman(['logs', id]))
      await sleep(100)
    }
    return { id, url: `http://127.0.0.1:${port}`, ops: `http://127.0.0.1:${ops}` }
  }

  const isOk = (url: string) =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )

  test(`is at most ${SIZE_MAX_MB} MB`, (t) => {
    const parts = {
      Node: 'usr/local/bin/node',
      'npm packages': 'app/node_modules',
      'the apps and the docs': 'app/web',
      'the server, SDK and MCP sources': 'app/server app/sdk app/mcp app/deploy',
      'the C library and others': 'usr/lib lib lib64',
    }
    const sizeOf = (...paths: string[]) =>
      paths
        .map((one) => path.join(root, one))
        .filter((one) => statSync(one, { throwIfNoEntry: false }))
        .map((one) => Number(execFileSync('du', ['-sb', one], { encoding: 'utf8' }).split('\t')[0]))
        .reduce((sum, bytes) => sum + bytes / 1e6, 0)
    for (const [part, paths] of Object.entries(parts))
      t.diagnostic(`${part}: ${sizeOf(...paths.split(' ')).toFixed(0)} MB`)
    const total = sizeOf('.')
    t.diagnostic(`in all: ${total.toFixed(0)} MB, built in ${seconds.toFixed(0)} s`)

    assert(total <= SIZE_MAX_MB, `${total.toFixed(0)} MB`)
    assert(total > 100, 'something is missing')
  })

  test('has labels, a health check, a user and a stop signal', async () => {
    const [{ Config, Healthcheck, User }] = JSON.parse(
      await podman(['image', 'inspect', image]),
    ) as Json
    const label = (key: string) => Config.Labels[`org.opencontainers.image.${key}`]

    assert.equal(label('version'), BUILD.VERSION)
    assert.equal(label('revision'), BUILD.REVISION)
    assert.equal(label('created'), BUILD.CREATED)
    assert.equal(label('source'), BUILD.SOURCE)
    assert(label('base.name'))
    assert.equal(User, `${USER}:${USER}`)
    assert.equal(Config.StopSignal, 'SIGTERM')
    assert.deepEqual(Object.keys(Config.ExposedPorts), ['8080/tcp', '9090/tcp'])
    assert.deepEqual((Config.Healthcheck ?? Healthcheck).Test.slice(0, 2), [
      'CMD',
      '/usr/local/bin/node',
    ])
  })

  test('has no shell and no other program than Node and the cage of the media process', async () => {
    const programs = globSync('{bin,sbin,usr/bin,usr/sbin,usr/local/**}/*', { cwd: root })
      .filter((file) => statSync(path.join(root, file)).isFile())
      .sort()

    assert.deepEqual(programs, PROGRAMS)
    for (const shell of ['sh', '/bin/sh', '/bin/bash', '/usr/bin/env'])
      await assert.rejects(
        podman(['run', '--rm', '--network=none', `--entrypoint=${shell}`, image, '-c', 'true']),
        /not found|no such file/,
        shell,
      )
    // The negative control: a program that is there can be run in the same way.
    await podman(['run', '--rm', '--network=none', '--entrypoint=/usr/bin/true', image])
  })

  test('holds no file that its user may write to, no set-user-id program, and no test', () => {
    const found = (...conditions: string[]) =>
      execFileSync('find', [root, '-xdev', ...conditions], { encoding: 'utf8' }).trim()

    assert.equal(found('-perm', '/6000'), '')
    assert.equal(found('-type', 'f', '(', '-uid', String(USER), '-o', '-perm', '-o+w', ')'), '')
    assert.equal(found('-path', '*/app/server/*', '-name', '*.test.ts'), '')
    assert.deepEqual(readdirSync(path.join(root, 'tmp')), [])
  })

  test('and its layers hold nothing of the npm settings that it was built with', async () => {
    const searched = (text: string) => {
      try {
        const where = [imageStore(), root]
        return execFileSync('grep', ['-rlF', '-m1', text, ...where], { encoding: 'utf8' }).trim()
      } catch (error) {
        // grep exits with 1 if it finds nothing, and with 2 if it could not look.
        assert.equal((error as { status: number }).status, 1)
        return ''
      }
    }
    const history = await podman(['history', '--no-trunc', '--format=json', image])

    assert.equal(searched(NPM_TOKEN), '')
    assert(!history.includes(NPM_TOKEN))
    // The negative control: what is in a layer is found.
    assert.notEqual(searched(BUILD.REVISION), '')
  })

  test('lists every package that it holds in its SBOM', () => {
    const sbom = JSON.parse(readFileSync(path.join(root, 'app/sbom.spdx.json'), 'utf8')) as Json
    const purls = new Set<string>(
      sbom.packages.flatMap((one: Json) =>
        (one.externalRefs ?? []).map((ref: Json) => ref.referenceLocator),
      ),
    )
    const { packages } = JSON.parse(
      readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
    ) as Json
    const installed = Object.entries<Json>(packages).filter(
      ([place]) =>
        place.startsWith('node_modules/') &&
        statSync(path.join(root, 'app', place, 'package.json'), { throwIfNoEntry: false }),
    )
    const server = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8')) as Json
    const direct = Object.keys(server.dependencies).filter((one) => !one.startsWith('@legwork/'))

    assert.equal(sbom.spdxVersion, 'SPDX-2.3')
    assert.equal(sbom.creationInfo.created, BUILD.CREATED)
    assert(installed.length > 100, `${installed.length} packages`)
    for (const [place, { version, link }] of installed) {
      const own = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (!link) assert(purls.has(`pkg:npm/${own.replace('@', '%40')}@${version}`), place)
    }
    for (const one of direct)
      assert(
        installed.some(([place]) => place === `node_modules/${one}`),
        `${one} is not in the image`,
      )
    assert(purls.has(`pkg:generic/node@${process.versions.node}`))
    assert([...purls].some((purl) => purl.startsWith('pkg:deb/debian/libc6@')))
    const ids = sbom.packages.map((one: Json) => one.SPDXID)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('migrates, serves a whole task, audits, and stops within its grace without an error', async (t) => {
    await runOnce('migrate')
    const api = await start('api')
    const jobs = await start('jobs')
    for (const { id, ops } of [api, jobs]) {
      assert.equal((await fetch(`${ops}/healthz`)).status, 200)
      await podman(['healthcheck', 'run', id])
    }
    const metrics = await (await fetch(`${api.ops}/metrics`)).text()
    assert(metrics.includes(`release="${BUILD.VERSION}"`), 'the metrics name the release')

    const base = `${api.url}/api/v1`
    const agent = await call(base, 'POST', '/test/agents')
    assert.equal(agent.status, 201, agent.text)
    const headers = { authorization: `Bearer ${/lw_test_[^"]+/.exec(agent.text)![0]}` }
    const created = await call(base, 'POST', '/verify', {
      headers,
      body: { question: 'Is it open?', location: 'Moorweg 12, Wedel', proof: 'photo' },
    })
    assert.equal(created.status, 201, created.text)
    const at = `/tasks/${created.body.task.id}`
    let task = created.body.task as Json
    for (let tries = 0; task.status !== 'proof_submitted' && tries < 30; tries += 1) {
      const { body } = await call(base, 'GET', `${at}?wait=10&while=${task.status}`, { headers })
      task = body.task ?? body
    }
    const proof = await call(base, 'GET', `${at}/proof`, { headers })
    const approved = await call(base, 'POST', `${at}/approve`, { headers })
    const audit = await runOnce('ops', 'audit')

    assert.equal(task.status, 'proof_submitted')
    assert.match(proof.text, /"photos":\[[^\]]/, proof.text)
    assert.equal(approved.body.task.status, 'completed', approved.text)
    assert.match(audit, /All ledger invariants hold\./)
    for (const url of ['/', '/console', '/docs']) {
      const page = await fetch(`${api.url}${url}`, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 200, url)
    }

    const { STOP_GRACE_SECONDS } = readConfig({})
    for (const { id } of [api, jobs]) {
      const began = performance.now()
      await podman(['stop', '--time=60', id])
      const took = (performance.now() - began) / 1000
      t.diagnostic(`${id.split('-').at(-1)} stopped in ${took.toFixed(1)} s`)
      const state = await podman([
        'inspect',
        '--format={{.State.ExitCode}} {{.State.OOMKilled}}',
        id,
      ])
      assert.equal(state.trim(), '0 false')
      assert(took < STOP_GRACE_SECONDS, `${id}: ${took} s`)

      const lines = (await podman(['logs', id])).trim().split('\n')
      const records = lines.map((line) => JSON.parse(line) as { level: string | number })
      assert(records.length > 2, id)
      const bad = lines.filter((_, i) => ['error', 'fatal', 50, 60].includes(records[i]!.level))
      assert.deepEqual(bad, [], id)
    }
  })

  test('refuses to start with a missing setting, and names it', async () => {
    const { WORKER_TOKEN_KEYS: _, ...without } = env
    const kept = env
    env = without
    try {
      await assert.rejects(runOnce('api'), /WORKER_TOKEN_KEYS/)
    } finally {
      env = kept
    }
  })
})
