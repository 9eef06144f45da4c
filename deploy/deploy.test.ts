/**
 * Checks what we ship to run the server: the image, Docker Compose, Kubernetes and systemd. It builds and starts
 * nothing, and compares the files with the server's code and with each other.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { freePort } from '../scripts/postgres.ts'
import { readConfig, renderSettings } from '../server/src/config.ts'
import { buildOpsServer } from '../server/src/http/ops-server.ts'
import { openMetrics } from '../server/src/kit/metrics.ts'
import { docsSources } from '../web/docs/build.ts'
import { makeSecrets, WAYS, type Way } from './make-secrets.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

type Json = any
type Env = Record<string, string>

const ROLES = ['api', 'desk', 'jobs', 'migrate'] as const
const DESK_PORT = 8070
const KNOWN = [...renderSettings().matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]!)
const { PORT, OPS_PORT } = readConfig({})
/** Database connections of one process: both pools of test mode, the probe, and the job queue's listeners. */
const CONNECTIONS = 25

/** Example values of the settings that an operator fills in. */
const FILLED_IN: Env = {
  SMTP_URL: 'smtps://user:secret@mail.example.com',
  STRIPE_SECRET_KEY: 'rk_live_key',
  STRIPE_SECRETS_ACCOUNT: 'whsec_account',
  STRIPE_SECRETS_CONNECT: 'whsec_connect',
  STRIPE_SECRETS_V2: 'whsec_v2',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}
const OPERATOR = { domain: 'example.com', email: 'ops@example.com' }

/** Settings that some ways need and others don't. Everything else is set in all of them. */
const S3 = ['S3_ACCESS_KEY_ID', 'S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_SECRET_ACCESS_KEY']
const OWN: Record<Way, { names: string[]; why: string }> = {
  compose: { names: S3, why: 'files are in a bucket' },
  kubernetes: {
    names: [...S3, 'DRAIN_SECONDS', 'STOP_GRACE_SECONDS'],
    why: 'files are in a bucket; gateways notice a stop later',
  },
  systemd: { names: ['FILES_DIR'], why: 'one machine keeps its files in a folder' },
}

interface Process {
  name: string
  role: string
  env: Env
  /** How long the process manager waits before it kills a stopping process. */
  stopSeconds: number | undefined
}

const parseEnv = (text: string): Env =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const fill = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value === '' ? (FILLED_IN[name] ?? '') : value,
    ]),
  )

// ── Compose ──────────────────────────────────────────────────────────────────────────────────────────────────────

const compose: Json = parse(read('deploy/compose.yaml'), { merge: true })
const trial: Json = parse(read('deploy/compose.trial.yaml'), { merge: true })
const services = Object.entries<Json>(compose.services)
/** Those that only a trial has; the others are in it, too, with a few changes. */
const trialServices = Object.entries<Json>(trial.services).filter(
  ([name]) => !(name in compose.services),
)
const INTERPOLATED = /\$\{(\w+)(?::[?-]([^}]*))?\}/g
const composeEnv = fill(parseEnv(makeSecrets('compose', OPERATOR)))
const trialEnv = parseEnv(
  makeSecrets('compose', { ...OPERATOR, domain: 'legwork.localhost', isTrial: true }),
)

function composeProcesses(variables: Env, more: Json = {}): Process[] {
  return services
    .filter(([, { image }]) => image.includes('LEGWORK_IMAGE'))
    .map(([name, { command, environment, stop_grace_period }]) => ({
      name,
      role: command[0],
      env: Object.fromEntries(
        Object.entries<string>({ ...environment, ...more[name]?.environment }).map(
          ([key, value]) => [
            key,
            value.replaceAll(INTERPOLATED, (_, variable: string) => variables[variable] ?? ''),
          ],
        ),
      ),
      stopSeconds: Number.parseInt(stop_grace_period, 10),
    }))
}

// ── Kubernetes ───────────────────────────────────────────────────────────────────────────────────────────────────

const KUBERNETES = 'deploy/kubernetes'
const BASE = `${KUBERNETES}/base`
const OVERLAY = `${KUBERNETES}/overlays/example`

const objectsIn = (text: string): Json[] =>
  parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS()
  })
const objects = [BASE, OVERLAY].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => objectsIn(read(`${folder}/${name}`))),
)
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
const workloads = [...ofKind('Deployment'), ...ofKind('Job')]
const secrets = objectsIn(makeSecrets('kubernetes', OPERATOR))
const podOf = (workload: Json) => workload.spec.template
const containersOf = (workload: Json): Json[] => podOf(workload).spec.containers

/** Whether a label selector selects a pod with these labels. */
function selects(selector: Json, labels: Env): boolean {
  return (
    Object.entries<string>(selector.matchLabels ?? {}).every(
      ([key, value]) => labels[key] === value,
    ) &&
    (selector.matchExpressions ?? []).every(({ key, operator, values }: Json) => {
      assert.equal(operator, 'In')
      return values.includes(labels[key])
    })
  )
}

function kubernetesProcesses(): Process[] {
  const settings = {
    ...parseEnv(read(`${BASE}/settings.env`)),
    ...parseEnv(read(`${OVERLAY}/settings.env`)),
  }
  const secretOf = (name: string): Env =>
    secrets.find(({ metadata }) => metadata.name === name)?.stringData
  return workloads.flatMap((workload) =>
    containersOf(workload)
      .filter(({ image }) => image === 'legwork')
      .map(({ args, envFrom, env }) => ({
        name: workload.metadata.name,
        role: args[0],
        env: fill({
          ...Object.assign(
            {},
            ...envFrom.map(({ configMapRef, secretRef }: Json) => {
              if (configMapRef) assert.equal(configMapRef.name, 'legwork-settings')
              return configMapRef ? settings : secretOf(secretRef.name)
            }),
          ),
          ...Object.fromEntries(
            env.map(({ name, valueFrom: { secretKeyRef } }: Json) => [
              name,
              secretOf(secretKeyRef.name)[secretKeyRef.key],
            ]),
          ),
        }),
        stopSeconds: podOf(workload).spec.terminationGracePeriodSeconds,
      })),
  )
}

// ── systemd ──────────────────────────────────────────────────────────────────────────────────────────────────────

const UNITS = readdirSync(path.join(ROOT, 'deploy/systemd')).filter((name) =>
  name.endsWith('.service'),
)

/** The values of each directive of a unit, in order. */
function readUnit(name: string): Record<string, string[]> {
  const unit: Record<string, string[]> = {}
  for (const [, key, value] of read(`deploy/systemd/${name}`).matchAll(/^(\w+)=(.*)$/gm))
    (unit[key!] ??= []).push(value!)
  return unit
}

function systemdProcesses(): Process[] {
  const file = fill(parseEnv(makeSecrets('systemd', OPERATOR)))
  return UNITS.map((name) => {
    const unit = readUnit(name)
    const words = (key: string) => (unit[key] ?? []).flatMap((value) => value.split(' '))
    const env: Env = { ...parseEnv(words('Environment').join('\n')), ...file }
    for (const gone of words('UnsetEnvironment')) delete env[gone]
    return {
      name,
      role: unit.ExecStart![0]!.split(' ').at(-1)!,
      env: { ...env, HOST: env.HOST!.replace('%i', '1') },
      stopSeconds: unit.TimeoutStopSec && Number(unit.TimeoutStopSec[0]),
    } as Process
  })
}

const PROCESSES: Record<Way, Process[]> = {
  compose: composeProcesses(composeEnv),
  kubernetes: kubernetesProcesses(),
  systemd: systemdProcesses(),
}

const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined

// ── Tests ────────────────────────────────────────────────────────────────────────────────────────────────────────

for (const way of WAYS)
  describe(`${way}`, () => {
    const processes = PROCESSES[way]

    test('runs the API, the desk, the jobs and the migrations, by roles that the server knows', () => {
      const main = read('server/src/main.ts')

      assert.deepEqual([...new Set(processes.map(({ role }) => role))].sort(), [...ROLES].sort())
      for (const { role } of processes) assert(main.includes(`case '${role}'`), role)
    })

    test('sets only what docs/settings.md lists', () => {
      for (const { name, env } of processes)
        assert.deepEqual(
          Object.keys(env).filter((key) => !KNOWN.includes(key)),
          [],
          name,
        )
    })

    test('gives every process the settings that production requires', () => {
      for (const { name, env } of processes) {
        const config = readConfig(env)

        assert.equal(config.NODE_ENV, 'production', name)
        assert(env.DATABASE_URL?.startsWith('postgres://legwork:'), name)
        assert.deepEqual(
          Object.entries(env).filter(([, value]) => value === ''),
          [],
          name,
        )
      }
    })

    test('gives the login that owns the tables to the migrations alone', () => {
      for (const { name, role, env } of processes) {
        const owned = Object.values(env).filter((value) => value.includes('legwork_owner'))
        assert.equal(owned.length, role === 'migrate' ? 1 : 0, name)
        assert.equal('MIGRATE_DATABASE_URL' in env, role === 'migrate', name)
      }
    })

    test('waits longer for a stop than the process itself', () => {
      const serving = processes.filter(({ role }) => role !== 'migrate')

      for (const { name, env, stopSeconds } of serving) {
        const { STOP_GRACE_SECONDS } = readConfig(env)
        assert(stopSeconds! >= STOP_GRACE_SECONDS + 5, `${name}: ${stopSeconds} s`)
      }
    })
  })

describe('the ways to run it', () => {
  for (const role of ROLES)
    test(`give ${role} the same settings, except those listed here`, () => {
      const names = WAYS.flatMap((way) =>
        PROCESSES[way]
          .filter((one) => one.role === role)
          .map(({ env }) =>
            Object.keys(env)
              .filter((name) => !OWN[way].names.includes(name))
              .sort(),
          ),
      )

      assert(names.length >= WAYS.length)
      for (const list of names) assert.deepEqual(list, names[0])
    })

  test('probe only paths that the ops port answers with 200', async () => {
    const probed = [
      read('Containerfile').replaceAll(/^COPY .*$/gm, ''),
      read('deploy/compose.yaml'),
      read('deploy/compose/Caddyfile'),
      read('deploy/systemd/Caddyfile'),
      read('deploy/haproxy.cfg'),
      ...[
        ...globSync(`${BASE}/*.yaml`, { cwd: ROOT }),
        ...UNITS.map((unit) => `deploy/systemd/${unit}`),
      ].map(read),
    ].flatMap((text) =>
      [...text.matchAll(/(?:probe\.ts[", ]+|health_uri |httpGet: \{ path: |GET uri )(\/\w+)/g)].map(
        (match) => match[1]!,
      ),
    )
    const server = buildOpsServer({
      metrics: openMetrics(),
      ready: async () => ({ checks: { accepting: true }, reasons: {} }),
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    try {
      assert(probed.length >= 12, `${probed.length} probes`)
      for (const url of new Set(probed)) {
        const { status } = await fetch(`http://127.0.0.1:${port}${url}`)
        assert.equal(status, 200, url)
      }
    } finally {
      server.close()
    }
  })

  test('use the ports that the server listens on', () => {
    const ports = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map((match) => Number(match[1]))

    assert.deepEqual(ports(read('Containerfile'), /^EXPOSE (\d+) \d+$/gm), [PORT])
    assert.deepEqual(ports(read('Containerfile'), /^EXPOSE \d+ (\d+)$/gm), [OPS_PORT])
    for (const file of ['deploy/compose/Caddyfile', 'deploy/systemd/Caddyfile']) {
      assert.deepEqual(ports(read(file), /(?:api-\d|desk|127\.0\.0\.\d):(\d+)/g), [
        PORT,
        PORT,
        DESK_PORT,
      ])
      assert.deepEqual(ports(read(file), /health_port (\d+)/g), [OPS_PORT, OPS_PORT])
    }
    for (const target of read('deploy/compose/prometheus.yml').matchAll(/'[\w-]+:(\d+)'/g))
      assert.equal(Number(target[1]), OPS_PORT)
  })

  test('have their secrets from make-secrets.ts, new ones each time', () => {
    for (const way of WAYS) {
      const [first, again] = [makeSecrets(way, OPERATOR), makeSecrets(way, OPERATOR)]
      const long = /(?<=[=:/ "])[\w+/-]{32,}(?==*["@\n])/g
      const values = first.match(long) ?? []

      assert(values.length >= 6, `${way}: ${values.length} secrets`)
      for (const value of values) assert(!again.includes(value), `${way}: a secret is not random`)
    }
  })

  test('keep their secrets out of git and out of the image', () => {
    execFileSync('git', ['check-ignore', '--quiet', 'deploy/.env'], { cwd: ROOT })
    const ignored = read('.containerignore')

    assert.match(ignored, /^(?:#.*\n)*\*\n/, 'everything is left out unless listed')
    assert.equal(read('.dockerignore'), ignored)
    assert.deepEqual(ignored.match(/^!deploy.*$/gm), [
      '!deploy/make-sbom.ts',
      '!deploy/make-secrets.ts',
      '!deploy/probe.ts',
    ])
    for (const { kind } of objects) assert.notEqual(kind, 'Secret')
  })
})

describe('the image', () => {
  const text = read('Containerfile')
  const last = text.slice(text.lastIndexOf('\nFROM '))

  test('starts from nothing, as a user without rights, with node as its entry point', () => {
    assert.match(last, /^\nFROM scratch$/m)
    assert.match(last, /^USER 10001:10001$/m)
    assert.match(last, /^ENTRYPOINT \["\/usr\/local\/bin\/node", "server\/src\/main\.ts"\]$/m)
    assert.match(last, /^HEALTHCHECK [^]*CMD \["\/usr\/local\/bin\/node", "deploy\/probe\.ts"/m)
    assert.doesNotMatch(last, /^RUN /m)
  })

  test('is built from the Node version that the project names', () => {
    assert.match(text, new RegExp(`^ARG BASE=node:${read('.nvmrc').trim()}-`, 'm'))
  })

  test('holds the programs of the media process', () => {
    for (const [, program] of read('server/src/files/cage.ts').matchAll(/'(\/usr\/bin\/\w+)'/g))
      assert(text.includes(`${program}`), program)
  })

  const allowed = read('.containerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const isAllowed = (file: string) =>
    allowed.some((one) => file === one || file.startsWith(`${one}/`))

  test('copies only what exists and is not ignored', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
      .flatMap((match) => match[1]!.split(' '))
      .filter((source) => source !== '.')

    assert(copied.length > 10)
    for (const source of copied) {
      assert(existsSync(path.join(ROOT, source)), `${source} does not exist`)
      assert(isAllowed(source), `${source} is ignored`)
    }
  })

  test('is built with the sources of the docs, and the settings that the compiler of the apps reads', () => {
    const { extends: parent } = JSON.parse(read('web/tsconfig.json')) as { extends: string }

    assert(isAllowed(path.posix.join('web', parent)))
    for (const source of docsSources()) assert(isAllowed(path.relative(ROOT, source)), source)
  })

  test('gets all dependencies of the server from the one folder that it copies', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: object }
    const nested = Object.keys(packages).filter((name) =>
      /^(?:server|sdk|mcp)\/node_modules/.test(name),
    )

    assert.deepEqual(nested, [])
  })

  test('knows the manifest of every workspace, as npm ci demands', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }

    for (const workspace of workspaces)
      assert(text.includes(`COPY ${workspace}/package.json ${workspace}/\n`), workspace)
  })
})

describe('compose.yaml', () => {
  test('has a value for every variable, also in a trial', () => {
    const variablesOf = (...files: string[]) =>
      [...files.map(read).join('\n').matchAll(INTERPOLATED)]
        .filter((match) => !match[0].includes(':-'))
        .map((match) => match[1]!)
    const trialFiles = ['deploy/compose.yaml', 'deploy/compose.trial.yaml']

    assert.deepEqual(
      variablesOf('deploy/compose.yaml').filter((name) => !composeEnv[name]),
      [],
    )
    assert.deepEqual(
      variablesOf(...trialFiles).filter((name) => !trialEnv[name]),
      [],
    )
  })

  test('starts a trial with nothing left to fill in', () => {
    for (const { name, env } of composeProcesses(trialEnv, trial.services)) {
      const config = readConfig(env)
      assert.equal(config.NODE_ENV, 'production', name)
      assert.match(config.STRIPE_API_BASE!, /^http:\/\/processor:/, name)
    }
  })

  test('has a processor in a trial that notifies the API and has money for free tasks', async () => {
    const port = await freePort()
    const [file] = trial.services.processor.entrypoint.slice(-1)
    const child = spawn(process.execPath, [file], {
      cwd: ROOT,
      env: {
        ...trialEnv,
        NOTIFY_URL: 'http://127.0.0.1:9/processor',
        SANDBOX_PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      const ask = async (what: string) => {
        const response = await fetch(`http://127.0.0.1:${port}/_sandbox/${what}`, {
          headers: { authorization: `Bearer ${trialEnv.SANDBOX_TOKEN}` },
        })
        return (await response.json()) as Json
      }
      const endpoints = await ask('endpoints')
      const topups = await ask('objects/topup')

      assert.deepEqual(
        endpoints.data.map(({ url }: Json) => url).sort(),
        ['account', 'connect', 'v2'].map((kind) => `http://127.0.0.1:9/processor/${kind}`),
      )
      assert.equal(topups.data.length, 1)
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  })

  test('mounts only files that exist, and names every volume and network', () => {
    const volumes = { ...compose.volumes, ...trial.volumes }
    for (const [name, service] of [...services, ...Object.entries<Json>(trial.services)]) {
      for (const volume of service.volumes ?? []) {
        const source: string = typeof volume === 'string' ? volume.split(':')[0]! : volume.source
        if (source.startsWith('.')) assert(existsSync(path.join(ROOT, 'deploy', source)), source)
        else assert(source in volumes, `${name}: ${source}`)
        if (source.startsWith('.')) assert(String(volume).endsWith(':ro'), `${name}: ${source}`)
      }
      const networks = Array.isArray(service.networks)
        ? service.networks
        : Object.keys(service.networks ?? {})
      for (const network of networks) assert(network in compose.networks, `${name}: ${network}`)
      for (const other of Object.keys(service.depends_on ?? {}))
        assert(other in compose.services, `${name}: ${other}`)
    }
  })

  test('hardens every container: read-only, without capabilities, bounded', () => {
    // Caddy's program asks for its capability; the volumes are given away once, without a network.
    const ADDED: Record<string, string[]> = {
      caddy: ['NET_BIND_SERVICE'],
      'own-volumes': ['CHOWN'],
    }
    for (const [name, service] of [...services, ...trialServices]) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'], name)
      assert.deepEqual(service.cap_add, ADDED[name], name)
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name)
      for (const limit of ['mem_limit', 'cpus', 'pids_limit'])
        assert(service[limit], `${name}: ${limit}`)
      assert(service.restart, name)
      const isRoot = /^0(:|$)|^root/.test(service.user ?? '0')
      assert.equal(isRoot, name === 'own-volumes', `${name}: user ${service.user}`)
      const endsAlone = ['migrate', 'own-volumes'].includes(name)
      assert.equal(Array.isArray(service.healthcheck?.test), !endsAlone, `${name}: health check`)
    }
  })

  test('opens ports to the internet for Caddy alone', () => {
    const open = [...services, ...trialServices].filter(([, { ports = [] }]) =>
      ports.some((port: string) => !port.startsWith('127.0.0.1:')),
    )
    assert.deepEqual(
      open.map(([name]) => name),
      ['caddy'],
    )
  })

  test('lets the server trust the address of Caddy, and reach it by no other network', () => {
    const { front, ...others } = compose.services.caddy.networks

    for (const { name, env } of PROCESSES.compose) {
      assert.equal(env.TRUST_PROXY, front.ipv4_address, name)
      const shared = compose.services[name].networks.filter((one: string) => one in others)
      assert.deepEqual(shared, [], name)
    }
    assert.equal(compose.networks.front.internal, true)
    assert.equal(compose.networks.data.internal, true)
  })

  test('balances and scrapes every process', () => {
    for (const { name, role } of PROCESSES.compose) {
      if (role === 'migrate') continue
      assert(read('deploy/compose/prometheus.yml').includes(`'${name}:${OPS_PORT}'`), name)
      if (role === 'api') assert(read('deploy/compose/Caddyfile').includes(`${name}:${PORT}`), name)
    }
  })

  test('lets only private networks reach the desk', () => {
    for (const file of ['deploy/compose/Caddyfile', 'deploy/systemd/Caddyfile']) {
      const sites = read(file).split(/^}$/m)
      const [desk, ...others] = sites.filter((site) => site.includes(`:${DESK_PORT}`))
      assert.deepEqual(others, [], file)
      assert.match(desk!, /@others not remote_ip private_ranges\n\trespond @others 403/, file)
    }
  })
})

describe('the Kubernetes objects', () => {
  const API_VERSIONS: Record<string, string> = {
    Cluster: 'postgresql.cnpg.io/v1',
    Deployment: 'apps/v1',
    HorizontalPodAutoscaler: 'autoscaling/v2',
    HTTPRoute: 'gateway.networking.k8s.io/v1',
    Job: 'batch/v1',
    Namespace: 'v1',
    NetworkPolicy: 'networking.k8s.io/v1',
    ObjectStore: 'barmancloud.cnpg.io/v1',
    PodDisruptionBudget: 'policy/v1',
    ScheduledBackup: 'postgresql.cnpg.io/v1',
    Service: 'v1',
  }

  test('are of known kinds, with a name of their own and labels', () => {
    const seen = new Set<string>()
    for (const { apiVersion, kind, metadata, spec } of objects) {
      const id = `${kind}/${metadata.name}`
      assert.equal(apiVersion, API_VERSIONS[kind], id)
      assert(!seen.has(id), `${id} twice`)
      seen.add(id)
      assert.equal(metadata.labels['app.kubernetes.io/name'], 'legwork', id)
      assert(metadata.labels['app.kubernetes.io/component'], id)
      assert(spec || kind === 'Namespace', id)
      assert.equal(metadata.namespace, undefined, `${id}: the overlay sets the namespace`)
    }
  })

  test('are all listed by their kustomization', () => {
    for (const folder of [BASE, OVERLAY]) {
      const { resources, configMapGenerator } = parse(read(`${folder}/kustomization.yaml`))
      const files = readdirSync(path.join(ROOT, folder)).filter(
        (name) => name !== 'kustomization.yaml',
      )
      const listed: string[] = [
        ...resources,
        ...configMapGenerator.flatMap(({ envs }: Json) => envs),
      ]

      assert.deepEqual(listed.filter((name) => name !== '../../base').sort(), files.sort())
    }
  })

  test('are rendered by kubectl', {
    skip: isInstalled('kubectl') ? false : 'kubectl is not installed',
  }, () => {
    const rendered = objectsIn(
      execFileSync('kubectl', ['kustomize', OVERLAY], { cwd: ROOT, encoding: 'utf8' }),
    )
    const settings = rendered.find(({ kind }) => kind === 'ConfigMap')

    assert.equal(rendered.length, objects.length + 1)
    assert.equal(settings.data.PUBLIC_URL, 'https://example.com')
    assert.equal(settings.data.NODE_ENV, 'production')
    for (const workload of rendered.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)))
      for (const { image, envFrom = [] } of containersOf(workload)) {
        assert.notEqual(image, 'legwork')
        for (const { configMapRef } of envFrom)
          if (configMapRef) assert.equal(configMapRef.name, settings.metadata.name)
      }
  })

  test('harden every container: not root, read-only, without capabilities, bounded', () => {
    for (const workload of workloads) {
      const id = workload.metadata.name
      const { spec } = podOf(workload)
      assert.equal(spec.securityContext.runAsNonRoot, true, id)
      assert(spec.securityContext.runAsUser > 0, id)
      assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' }, id)
      assert.equal(spec.automountServiceAccountToken, false, id)
      for (const { securityContext, resources, volumeMounts } of containersOf(workload)) {
        assert.deepEqual(
          securityContext,
          {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          id,
        )
        for (const size of ['cpu', 'memory'])
          for (const bound of ['requests', 'limits'])
            assert(resources[bound][size], `${id}: ${size}`)
        for (const { name } of volumeMounts)
          assert(
            spec.volumes.some((volume: Json) => volume.name === name),
            `${id}: ${name}`,
          )
      }
    }
  })

  test('name the ports of the server, and probe it as it is meant', () => {
    for (const workload of ofKind('Deployment')) {
      const [container] = containersOf(workload)
      const id = workload.metadata.name
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        assert(container[probe], `${id}: ${probe}`)
      if (container.image !== 'legwork') continue
      const ports = Object.fromEntries(
        container.ports.map(({ name, containerPort }: Json) => [name, containerPort]),
      )
      const served: Record<string, object> = { api: { http: PORT }, desk: { http: DESK_PORT } }
      const expected = { ...served[container.args[0]], ops: OPS_PORT }
      assert.deepEqual(ports, expected, id)
      // Restarting a process does not repair a database.
      assert.deepEqual(container.startupProbe.httpGet, { path: '/healthz', port: 'ops' })
      assert.deepEqual(container.livenessProbe.httpGet, { path: '/healthz', port: 'ops' })
      assert.deepEqual(container.readinessProbe.httpGet, { path: '/readyz', port: 'ops' })
      assert(container.readinessProbe.timeoutSeconds >= 3, '/readyz answers within three seconds')
    }
  })

  test('notice a stop before the process ends its drain', () => {
    for (const { name, env } of PROCESSES.kubernetes.filter(({ role }) => role === 'api')) {
      const { periodSeconds, failureThreshold } = containersOf(
        workloads.find(({ metadata }) => metadata.name === name),
      )[0].readinessProbe
      assert(readConfig(env).DRAIN_SECONDS > periodSeconds * failureThreshold, name)
    }
  })

  test('select what they mean', () => {
    const pods = workloads.map((workload) => podOf(workload).metadata.labels as Env)
    for (const { kind, metadata, spec } of [
      ...ofKind('Deployment'),
      ...ofKind('Service'),
      ...ofKind('PodDisruptionBudget'),
    ]) {
      const selector = kind === 'Service' ? { matchLabels: spec.selector } : spec.selector
      const selected = pods.filter((labels) => selects(selector, labels))
      assert.equal(selected.length, 1, `${kind}/${metadata.name}`)
      assert.equal(
        selected[0]!['app.kubernetes.io/component'],
        metadata.labels['app.kubernetes.io/component'],
      )
    }
    for (const { metadata, spec } of ofKind('Service'))
      for (const { targetPort } of spec.ports) {
        const target = workloads.find((one) =>
          selects({ matchLabels: spec.selector }, podOf(one).metadata.labels),
        )
        const names = containersOf(target).flatMap(({ ports }) =>
          ports.map((port: Json) => port.name),
        )
        assert(names.includes(targetPort), `${metadata.name}: ${targetPort}`)
      }
    const backends = ofKind('HTTPRoute').flatMap(({ spec }) => spec.rules[0].backendRefs as Json[])
    assert.equal(backends.length, 2)
    for (const { name, port } of backends)
      assert(
        ofKind('Service').some(
          (one) => one.metadata.name === name && one.spec.ports.some((p: Json) => p.port === port),
        ),
        name,
      )
  })

  test('scale by metrics that the server exports', async () => {
    const exported = (await openMetrics().registry.getMetricsAsJSON()).map(({ name }) => name)
    for (const { metadata, spec } of ofKind('HorizontalPodAutoscaler')) {
      assert(ofKind('Deployment').some((one) => one.metadata.name === spec.scaleTargetRef.name))
      assert(spec.minReplicas >= 2, metadata.name)
      const names = spec.metrics.flatMap(({ pods }: Json) => (pods ? [pods.metric.name] : []))
      assert(names.length > 0, metadata.name)
      for (const name of names) assert(exported.includes(name), name)
    }
  })

  test('leave the database enough connections when all processes run', () => {
    const counts = [
      ...ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.maxReplicas as number),
      ...ofKind('Deployment')
        .filter((one) => containersOf(one)[0].image === 'legwork')
        .flatMap(({ spec }) => (spec.replicas as number | undefined) ?? []),
    ]
    // A rolling update starts one more of each.
    const processes = counts.reduce((sum, count) => sum + count + 1, 0)
    const [cluster] = ofKind('Cluster')

    assert(processes * CONNECTIONS < Number(cluster.spec.postgresql.parameters.max_connections))
  })

  test('run a database that loses no acknowledged commit, and back it up', () => {
    const [{ spec, metadata }] = ofKind('Cluster') as [Json]
    const [backup] = ofKind('ScheduledBackup')
    const [store] = ofKind('ObjectStore')

    assert.deepEqual(spec.postgresql.synchronous, {
      method: 'any',
      number: 1,
      dataDurability: 'required',
    })
    // With one of two standbys away, commits still return.
    assert(spec.instances >= spec.postgresql.synchronous.number + 2)
    assert.equal(backup.spec.cluster.name, metadata.name)
    assert.equal(spec.plugins[0].name, backup.spec.pluginConfiguration.name)
    assert.equal(spec.plugins[0].parameters.barmanObjectName, store.metadata.name)
    assert(spec.resources.limits.memory)
  })

  test('refer to secrets by name; make-secrets.ts makes each of them', () => {
    const made = new Map<string, Env>(
      secrets.map(({ metadata, stringData }) => [metadata.name, stringData]),
    )
    const text = [...globSync(`${BASE}/*.yaml`, { cwd: ROOT })].map(read).join('\n')
    const used = [
      ...text.matchAll(
        /(?:secretKeyRef|accessKeyId|secretAccessKey): \{ name: ([\w-]+), key: (\w+) \}/g,
      ),
      ...text.matchAll(/(?:secretRef|secret|passwordSecret): \{ name: ([\w-]+) \}/g),
    ]

    assert.deepEqual([...new Set(used.map((match) => match[1]!))].sort(), [...made.keys()].sort())
    for (const [, name, key] of used)
      if (key !== undefined) assert(key in made.get(name!)!, `${name}: ${key}`)
    // CloudNativePG makes this one.
    for (const [, name] of text.matchAll(/secretName: ([\w-]+)/g))
      assert.equal(name, `${ofKind('Cluster')[0].metadata.name}-ca`)
  })

  test('have network policies that deny by default and name every workload', () => {
    const policies = ofKind('NetworkPolicy')
    const deny = policies.find(({ metadata }) => metadata.name === 'legwork-deny')
    const own = policies.filter(({ spec }) => Object.keys(spec.podSelector).length > 0)
    const pods: Env[] = [
      ...workloads.map((workload) => podOf(workload).metadata.labels as Env),
      // The operator labels the pods of a cluster so.
      { 'cnpg.io/cluster': ofKind('Cluster')[0].metadata.name },
    ]

    assert.deepEqual(deny.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    for (const labels of pods)
      assert.equal(
        own.filter(({ spec }) => selects(spec.podSelector, labels)).length,
        1,
        JSON.stringify(labels),
      )
    for (const { metadata, spec } of own)
      assert(
        pods.some((labels) => selects(spec.podSelector, labels)),
        `${metadata.name} selects nothing`,
      )
  })

  test('let the two ends of every connection in the cluster agree', () => {
    const DATABASE = { 'cnpg.io/cluster': ofKind('Cluster')[0].metadata.name }
    const labelsOf = (component: string): Env =>
      component === 'database'
        ? DATABASE
        : podOf(
            workloads.find(
              ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component,
            ),
          ).metadata.labels
    const allows = (direction: 'ingress' | 'egress', at: Env, other: Env, port: number): boolean =>
      ofKind('NetworkPolicy')
        .filter(({ spec }) => selects(spec.podSelector, at))
        .flatMap(({ spec }) => spec[direction] ?? [])
        .some(
          (rule: Json) =>
            rule.ports.some((one: Json) => one.port === port) &&
            (rule.to ?? rule.from ?? []).some(
              ({ podSelector, namespaceSelector }: Json) =>
                podSelector && !namespaceSelector && selects(podSelector, other),
            ),
        )

    for (const [from, to, port, isAllowed] of [
      ['api', 'database', 5432, true],
      ['jobs', 'database', 5432, true],
      ['migrate', 'database', 5432, true],
      ['desk', 'database', 5432, true],
      ['api', 'valkey', 6379, true],
      ['desk', 'valkey', 6379, true],
      ['database', 'database', 5432, true],
      ['jobs', 'valkey', 6379, false],
      ['migrate', 'valkey', 6379, false],
      ['valkey', 'database', 5432, false],
      ['jobs', 'api', 8080, false],
      ['api', 'desk', 8070, false],
    ] as const) {
      const [at, other] = [labelsOf(from), labelsOf(to)]
      assert.equal(allows('egress', at, other, port), isAllowed, `${from} may call ${to}`)
      assert.equal(allows('ingress', other, at, port), isAllowed, `${to} may be called by ${from}`)
    }
  })
})

describe('the systemd units', () => {
  test('are hardened, and start the migrations first', () => {
    for (const name of UNITS) {
      const unit = readUnit(name)
      for (const [key, value] of Object.entries({
        User: 'legwork',
        ProtectSystem: 'strict',
        ProtectHome: 'yes',
        PrivateTmp: 'yes',
        NoNewPrivileges: 'yes',
        CapabilityBoundingSet: '',
        SystemCallFilter: '@system-service',
        EnvironmentFile: '/etc/legwork/legwork.env',
      }))
        assert.deepEqual(unit[key], [value], `${name}: ${key}`)
      assert(unit.MemoryMax && unit.TasksMax, name)
      assert.equal(unit.MemoryDenyWriteExecute, undefined, 'V8 does not start with it')
      if (name === 'legwork-migrate.service') assert.deepEqual(unit.Type, ['oneshot'])
      else {
        assert.deepEqual(unit.Requires, ['legwork-migrate.service'], name)
        assert(unit.After![0]!.split(' ').includes('legwork-migrate.service'), name)
        // The cage of the media process needs these three.
        assert.deepEqual(unit.RestrictNamespaces, ['user net ipc'], name)
      }
    }
  })

  test('run files that exist', () => {
    for (const name of UNITS)
      for (const command of [
        ...readUnit(name).ExecStart!,
        ...(readUnit(name).ExecStartPost ?? []),
      ]) {
        const [node, file] = command.split(' ')
        assert.equal(node, '/opt/legwork/node_modules/.bin/node')
        assert(existsSync(path.join(ROOT, file!)), file)
      }
  })

  test('give each process on the machine an address of its own', () => {
    const hosts = UNITS.filter((name) => name !== 'legwork-migrate.service').flatMap(
      (name) => read(`deploy/systemd/${name}`).match(/HOST=127\.0\.0\.(?:%i|\d)/g)!,
    )
    const balanced = read('deploy/systemd/Caddyfile').match(/127\.0\.0\.\d(?=:)/g)

    assert.deepEqual(hosts.sort(), ['HOST=127.0.0.%i', 'HOST=127.0.0.8', 'HOST=127.0.0.9'])
    assert.deepEqual(balanced, ['127.0.0.1', '127.0.0.2', '127.0.0.8'])
  })

  const NO_SYSTEMD = isInstalled('systemd-analyze')
    ? false
    : 'systemd-analyze is not installed: nothing was verified'

  /** Runs `systemd-analyze` on copies of the units. */
  function analyze(command: string[], names: string[]): { status: number | null; output: string } {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-units-'))
    try {
      for (const name of UNITS) {
        // It checks that programs exist, and ours are installed only on the machine that runs them.
        writeFileSync(
          path.join(folder, name),
          read(`deploy/systemd/${name}`).replaceAll(
            '/opt/legwork/node_modules/.bin/node',
            process.execPath,
          ),
        )
      }
      const { status, stdout, stderr } = spawnSync(
        'systemd-analyze',
        [...command, ...names.map((name) => path.join(folder, name))],
        { encoding: 'utf8' },
      )
      return { status, output: stdout + stderr }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('are accepted by systemd', { skip: NO_SYSTEMD }, () => {
    const { status, output } = analyze(['verify', '--man=no'], UNITS)

    assert.deepEqual(
      output.split('\n').filter((line) => line.includes('legwork')),
      [],
    )
    assert.equal(status, 0, output)
  })

  // systemd rates exposure from 0 to 10; a service without any hardening has 9.6.
  const EXPOSURE_MAX = 2.3

  test(`have an exposure of at most ${EXPOSURE_MAX}`, { skip: NO_SYSTEMD }, () => {
    for (const name of UNITS) {
      const { output } = analyze(['security', '--offline=true', '--no-pager'], [name])
      const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(output)?.[1])

      assert(exposure > 0 && exposure <= EXPOSURE_MAX, `${name}: ${exposure}\n${output}`)
    }
  })
})
