/**
 * Starts the services of Compose files with podman, one `podman run` each, in the order of their dependencies: Docker
 * Compose itself is not to be had without a registry. It knows the keys that deploy/compose.yaml uses, and refuses
 * every other, so that nothing in the file is silently left out.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { lastLines, podman } from './containers.ts'

interface Network {
  internal?: boolean
  ipam?: { config: { subnet: string; ip_range: string }[] }
}

interface InNetwork {
  ipv4_address?: string
  aliases?: string[]
}

type Volume =
  | string
  | { type: 'volume'; source: string; target: string; volume?: { nocopy?: boolean } }

/** The keys of a service that `up` knows. */
export interface Service {
  image: string
  command?: string[]
  entrypoint?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  user?: string
  tmpfs?: string[]
  sysctls?: Record<string, string | number>
  environment: Record<string, string>
  volumes: Volume[]
  ports?: string[]
  networks?: string[] | Record<string, InNetwork | null>
  network_mode?: string
  healthcheck?: { test?: string[]; timeout?: string }
  mem_limit?: string
  cpus?: number
  pids_limit?: number
  shm_size?: string
  depends_on: Record<string, object>
  restart?: string
  logging?: object
  build?: object
  stop_grace_period?: string
}

interface Document {
  services: Record<string, Partial<Service>>
  networks?: Record<string, Network | null>
}

interface Project {
  /** Prefix of all containers, networks and volumes. */
  name: string
  folder: string
  services: Record<string, Service>
  networks: Record<string, Network | null>
}

/** A local replacement for an image of a registry, with the same defaults. */
export interface StandIn {
  image: string
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  workdir?: string
}

const HEALTHY_MAX_MS = 90_000
const PAUSE_MS = 500

/** Reads the files as Compose does: variables first, then merge keys, then each file over the ones before it. */
export function readCompose(
  files: string[],
  variables: Record<string, string>,
): Pick<Project, 'services' | 'networks'> {
  const documents = files.map((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(
      /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
      (_, name: string, kind: string | undefined, fallback: string) => {
        const value = variables[name] ?? (kind === '-' ? fallback : undefined)
        if (value === undefined) throw new Error(`${name} has no value`)
        return value
      },
    )
    return parse(text, { merge: true }) as Document
  })
  const services: Project['services'] = {}
  const networks: Project['networks'] = {}
  for (const document of documents) {
    Object.assign(networks, document.networks)
    for (const [name, service] of Object.entries(document.services)) {
      const before = services[name]
      const image = service.image ?? before?.image
      if (image === undefined) throw new Error(`${name} has no image`)
      services[name] = {
        ...before,
        ...service,
        image,
        environment: { ...before?.environment, ...service.environment },
        volumes: [...(before?.volumes ?? []), ...(service.volumes ?? [])],
        depends_on: { ...before?.depends_on, ...service.depends_on },
      }
    }
  }
  return { services, networks }
}

/** A label of a network: the process that made it. */
const RUN = 'legwork-run'

/** Starts all services; returns how long each took until its health check passed. */
export async function up(
  project: Project,
  standIns: Record<string, StandIn>,
): Promise<Record<string, number>> {
  await removeAbandoned()
  for (const [name, network] of Object.entries(project.networks))
    await makeNetwork(`${project.name}-${name}`, network)
  const times: Record<string, number> = {}
  const started = new Map<string, Promise<void>>()
  const start = (name: string): Promise<void> => {
    const existing = started.get(name)
    if (existing) return existing
    const starting = startService(name)
    started.set(name, starting)
    return starting
  }
  const startService = async (name: string) => {
    const service = project.services[name]!
    await Promise.all(Object.keys(service.depends_on).map(start))
    const began = performance.now()
    await podman(['run', '--detach', ...runFlags(project, name, standIns[service.image])])
    await settled(`${project.name}-${name}`, service)
    times[name] = (performance.now() - began) / 1000
  }
  await Promise.all(Object.keys(project.services).map(start))
  return times
}

/** Removes everything that `up` made. */
export async function down(project: Project): Promise<void> {
  const label = `label=project=${project.name}`
  await podman(['rm', '--force', '--time=1', '--volumes', '--filter', label]).catch(() => {})
  const volumes = await podman(['volume', 'ls', '--quiet', '--filter', `name=${project.name}-`])
  for (const volume of volumes.split('\n').filter(Boolean))
    await podman(['volume', 'rm', '--force', volume])
  for (const name of Object.keys(project.networks)) await removeNetwork(`${project.name}-${name}`)
}

/** Removes networks that runs which were killed have left, and their containers: a subnet can be used only once. */
async function removeAbandoned(): Promise<void> {
  const format = '--format={{.Name}} {{.Labels}}'
  const listed = await podman(['network', 'ls', `--filter=label=${RUN}`, format])
  for (const [, network, pid] of listed.matchAll(new RegExp(`^(\\S+) .*\\b${RUN}=(\\d+)`, 'gm')))
    if (!existsSync(`/proc/${pid}`)) await removeNetwork(network!)
}

async function removeNetwork(network: string): Promise<void> {
  const bridge = await bridgeOf(network).catch(() => undefined)
  await podman(['network', 'rm', '--force', '--time=1', network]).catch(() => {})
  if (bridge && existsSync(`/sys/class/net/${bridge.name}`)) ip('link', 'delete', bridge.name)
}

/** Waits until a service is healthy. One without a health check is a command that must end well. */
async function settled(id: string, { healthcheck }: Service): Promise<void> {
  if (healthcheck?.test === undefined) {
    const code = (await podman(['wait', id])).trim()
    if (code !== '0') throw new Error(`${id} exited with ${code}:\n${await lastLines(id)}`)
    return
  }
  const began = performance.now()
  for (;;) {
    // Podman leaves the schedule of health checks to systemd, which not every machine has.
    const failure = await podman(['healthcheck', 'run', id]).then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (failure === undefined) return
    const isRunning = await podman(['inspect', '--format={{.State.Running}}', id])
    if (isRunning.trim() !== 'true' || performance.now() - began > HEALTHY_MAX_MS)
      throw new Error(`${id} is not healthy: ${failure}\n${await lastLines(id)}`)
    await sleep(PAUSE_MS)
  }
}

/**
 * A bridge takes the lowest MAC address of its ports until it is given one. With podman's own bridge, a container that
 * starts can change that address, and the others send their DNS queries to the old one for up to half a minute. Podman
 * uses a bridge that already exists as it is.
 */
async function makeNetwork(name: string, network: Network | null): Promise<void> {
  await podman([
    'network',
    'create',
    `--label=${RUN}=${process.pid}`,
    ...networkFlags(network),
    name,
  ])
  const bridge = await bridgeOf(name)
  ip('link', 'add', bridge.name, 'type', 'bridge')
  const address = readFileSync(`/sys/class/net/${bridge.name}/address`, 'utf8').trim()
  ip('link', 'set', bridge.name, 'address', address)
  ip('address', 'add', bridge.gateway, 'dev', bridge.name)
  ip('link', 'set', bridge.name, 'up')
}

async function bridgeOf(network: string): Promise<{ name: string; gateway: string }> {
  const [found] = JSON.parse(await podman(['network', 'inspect', network])) as [
    { network_interface: string; subnets: [{ subnet: string; gateway: string }] },
  ]
  const [{ subnet, gateway }] = found.subnets
  return { name: found.network_interface, gateway: `${gateway}/${subnet.split('/')[1]}` }
}

const ip = (...args: string[]) => execFileSync('ip', args)

function networkFlags(network: Network | null): string[] {
  const { internal, ipam, ...unknown } = network ?? {}
  refuse('a network', unknown)
  return [
    ...(internal ? ['--internal'] : []),
    ...(ipam?.config ?? []).flatMap(({ subnet, ip_range }) => [
      `--subnet=${subnet}`,
      `--ip-range=${ip_range}`,
    ]),
  ]
}

function runFlags(project: Project, name: string, standIn: StandIn | undefined): string[] {
  const service = project.services[name]!
  const { image, command, entrypoint = standIn?.entrypoint, ...rest } = service
  const {
    read_only,
    cap_drop = [],
    cap_add = [],
    security_opt = [],
    user,
    tmpfs = [],
    sysctls = {},
    environment,
    volumes,
    ports = [],
    networks,
    network_mode,
    healthcheck,
    mem_limit,
    cpus,
    pids_limit,
    shm_size,
    // Read by `up`, or without a meaning for one run.
    depends_on: _dependsOn,
    restart: _restart,
    logging: _logging,
    build: _build,
    stop_grace_period: _grace,
    ...unknown
  } = rest
  refuse(name, unknown)
  const variables = Object.entries({ ...standIn?.environment, ...environment })
  return [
    `--name=${project.name}-${name}`,
    `--label=project=${project.name}`,
    ...(read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...cap_drop.map((one) => `--cap-drop=${one}`),
    ...cap_add.map((one) => `--cap-add=${one}`),
    ...security_opt.map((one) => `--security-opt=${one.replace(/:true$/, '')}`),
    ...(user ? [`--user=${user}`] : []),
    ...tmpfs.map((one) => `--tmpfs=${one}`),
    ...Object.entries(sysctls).map(([key, value]) => `--sysctl=${key}=${value}`),
    ...variables.map(([key, value]) => `--env=${key}=${value}`),
    ...volumes.map((one) => `--volume=${volumeOf(project, one)}`),
    ...ports.map((one) => `--publish=${one}`),
    ...(network_mode ? [`--network=${network_mode}`] : networksOf(project, name, networks ?? [])),
    ...healthFlags(healthcheck),
    ...(mem_limit ? [`--memory=${mem_limit}`] : []),
    ...(cpus ? [`--cpus=${cpus}`] : []),
    ...(pids_limit ? [`--pids-limit=${pids_limit}`] : []),
    ...(shm_size ? [`--shm-size=${shm_size}`] : []),
    ...(standIn?.workdir ? [`--workdir=${standIn.workdir}`] : []),
    ...(entrypoint ? [`--entrypoint=${JSON.stringify(entrypoint)}`] : []),
    standIn?.image ?? image,
    // As in Compose, another entry point drops the image's own command.
    ...(command ?? (service.entrypoint ? [] : (standIn?.command ?? []))),
  ]
}

function volumeOf(project: Project, volume: Volume): string {
  if (typeof volume !== 'string') {
    const { type: _type, source, target, volume: options, ...unknown } = volume
    refuse(`the volume ${source}`, unknown)
    return `${project.name}-${source}:${target}${options?.nocopy ? ':nocopy' : ''}`
  }
  return volume.startsWith('.')
    ? path.resolve(project.folder, volume.split(':')[0]!) + volume.slice(volume.indexOf(':'))
    : `${project.name}-${volume}`
}

/** A service is known by its name in each of its networks. */
function networksOf(
  project: Project,
  name: string,
  networks: NonNullable<Service['networks']>,
): string[] {
  const named: Record<string, InNetwork | null> = Array.isArray(networks)
    ? Object.fromEntries(networks.map((one) => [one, null]))
    : networks
  return Object.entries(named).map(([network, own]) => {
    const { ipv4_address, aliases = [] } = own ?? {}
    const options = [name, ...aliases].map((alias) => `alias=${alias}`)
    if (ipv4_address) options.push(`ip=${ipv4_address}`)
    return `--network=${project.name}-${network}:${options.join(',')}`
  })
}

function healthFlags(healthcheck: Service['healthcheck']): string[] {
  if (healthcheck?.test === undefined) return ['--no-healthcheck']
  const [kind, ...command] = healthcheck.test
  if (kind !== 'CMD') throw new Error(`${kind} needs a shell`)
  return [`--health-cmd=${JSON.stringify(command)}`, `--health-timeout=${healthcheck.timeout}`]
}

function refuse(what: string, unknown: object): void {
  const keys = Object.keys(unknown)
  if (keys.length > 0) throw new Error(`${what}: ${keys.join(', ')} is not known here`)
}
