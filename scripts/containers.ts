/**
 * Builds images and runs containers in tests, without a container registry and without a daemon: mmdebstrap makes base
 * images from Debian's packages, buildah builds, podman runs. It needs root and the programs below, which
 * scripts/machine.sh installs.
 *
 * Images and npm's downloads stay in CACHE, so that the next run takes seconds. Nothing else of the machine's own
 * containers is read or changed.
 */
import { type ExecFileOptions, execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.join(import.meta.dirname, '..')
const CACHE = process.env.LEGWORK_TEST_CACHE ?? '/var/cache/legwork-test'
const PROGRAMS = ['podman', 'buildah', 'runc', 'mmdebstrap', 'flock', 'ip']
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
/** npm of the base image; the Node images of the registry have one of this major version. */
const NPM = 'npm@11.19.1'

/** A build that was killed leaves its container, with the npm settings in it. Another's test of mounts has no image. */
const REMOVE_KILLED_BUILDS =
  "buildah containers --noheading --format '{{.ContainerID}} {{.ImageName}}' | " +
  'awk \'$2 != "scratch" {print $1}\' | xargs -r buildah rm >/dev/null'

/** Why containers can't be run on this machine; undefined if they can. */
export function whyNoContainers(): string | undefined {
  if (process.getuid?.() !== 0) return 'containers are built and run by root'
  const missing = PROGRAMS.filter((program) => spawnSync(program, ['--version']).error)
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`
  // Inside of a container without privileges, for example.
  const isAllowed = spawnSync('unshare', ['--mount', '--net', 'true']).status === 0
  return isAllowed ? undefined : 'this machine forbids namespaces'
}

/** The machine may have no systemd and cgroups of both versions, and may forbid raising limits: runc copes with all. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=16384:16384", "nproc=8192:8192"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${CACHE}/networks"
`

const storageConf = (driver: string) => `[storage]
driver = "${driver}"
graphroot = "${CACHE}/images-${driver}"
runroot = "/run/legwork-test"
`

/** vfs copies every layer, but works where an overlay can't be mounted, such as inside of most containers. */
const environment = (() => {
  let env: NodeJS.ProcessEnv | undefined
  return () => (env ??= makeEnvironment('overlay') ?? makeEnvironment('vfs'))
})()

function makeEnvironment(driver: string): NodeJS.ProcessEnv | undefined {
  const tmp = path.join(CACHE, 'tmp')
  for (const folder of ['tmp', 'networks']) mkdirSync(path.join(CACHE, folder), { recursive: true })
  const [containers, storage] = ['containers.conf', `storage-${driver}.conf`].map((name) =>
    path.join(CACHE, name),
  ) as [string, string]
  writeFileSync(containers, CONTAINERS_CONF)
  writeFileSync(storage, storageConf(driver))
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    // buildah keeps the cache mounts of a build here.
    TMPDIR: tmp,
    BUILDAH_ISOLATION: 'chroot',
    CONTAINERS_CONF: containers,
    CONTAINERS_STORAGE_CONF: storage,
  }
  if (driver === 'vfs') return env
  const attempt = spawnSync('buildah', ['from', 'scratch'], { env, encoding: 'utf8' })
  if (attempt.status !== 0) return undefined
  const container = attempt.stdout.trim()
  const isMounted = spawnSync('buildah', ['mount', container], { env }).status === 0
  spawnSync('buildah', ['rm', container], { env })
  return isMounted ? env : undefined
}

/** The folder of all layers. */
export const imageStore = () =>
  /graphroot = "(.*)"/.exec(readFileSync(environment()!.CONTAINERS_STORAGE_CONF!, 'utf8'))![1]!

/** The last lines that a container printed, to either stream. */
export async function lastLines(container: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('podman', ['logs', '--tail=20', container], {
    env: environment(),
  })
  return `${stdout}${stderr}` || '(nothing)'
}

/** Runs podman, and returns what it printed. The error has the output of both streams. */
export async function podman(args: string[], options: ExecFileOptions = {}): Promise<string> {
  return run('podman', args, options)
}

async function run(
  program: string,
  args: string[],
  { env, ...options }: ExecFileOptions = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
    env: { ...environment(), ...env },
    ...options,
  }).catch((error: { stdout: string; stderr: string; message: string }) => {
    const output = `${error.stdout}\n${error.stderr}`.trim().split('\n').slice(-40).join('\n')
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} … failed:\n${output}`)
  })
  return stdout as string
}

interface DebianImage {
  name: string
  suite: string
  packages: string[]
  /** mmdebstrap's hooks, run after the packages are installed. */
  hooks?: string[]
  /** Instructions of a Containerfile, such as `ENV A=b`. */
  changes?: string[]
}

/** An image of Debian packages. It is made again when its description changes; the tag is the description's hash. */
export async function debianImage(image: DebianImage): Promise<string> {
  const { name, suite, packages, hooks = [], changes = [] } = image
  const hash = createHash('sha256').update(JSON.stringify(image)).digest('hex').slice(0, 12)
  const tag = `localhost/legwork-test-${name}:${hash}`
  if (await exists(tag)) return tag
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-debian-'))
  try {
    const tar = path.join(folder, 'root.tar')
    await run('mmdebstrap', [
      '--quiet',
      '--variant=minbase',
      // A mirror that is a snapshot has lists that have expired.
      '--aptopt=Acquire::Check-Valid-Until "false"',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      `--include=${packages.join(',')}`,
      ...hooks.map((hook) => `--customize-hook=${hook}`),
      suite,
      tar,
    ])
    const flags = changes.flatMap((change) => ['--change', change])
    await podman(['import', '--quiet', ...flags, tar, tag])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tag
}

const exists = (tag: string) =>
  podman(['image', 'exists', tag]).then(
    () => true,
    () => false,
  )

/** Stands in for the registry's `node:24-bookworm-slim`: the same Debian, the project's Node, npm. */
async function nodeBase(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-npm-'))
  try {
    const npm = 'node_modules/npm'
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', '.', NPM], {
      cwd: folder,
    })
    // The folder's name is random; the description of the image must not be.
    const staged = path.join(CACHE, 'tmp', `node-${process.versions.node}-${NPM}`)
    mkdirSync(staged, { recursive: true })
    execFileSync('cp', ['-a', path.join(folder, npm), process.execPath, staged])
    return await debianImage({
      name: 'node',
      suite: 'bookworm',
      packages: ['libstdc++6'],
      hooks: [
        'mkdir -p "$1/usr/local/lib/node_modules"',
        `copy-in ${staged}/npm /usr/local/lib/node_modules`,
        `copy-in ${staged}/node /usr/local/bin`,
        'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
      ],
      changes: ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The image that the Containerfile describes. With LEGWORK_TEST_BASE, such as a name of a registry, on that base.
 * `npmrc` is added to the settings that npm gets in the build.
 */
export async function serverImage(
  buildArgs: Record<string, string> = {},
  npmrc: string[] = [],
): Promise<string> {
  const base = process.env.LEGWORK_TEST_BASE ?? (await nodeBase())
  const hash = createHash('sha256').update(JSON.stringify(buildArgs)).digest('hex').slice(0, 12)
  const tag = `localhost/legwork-test-server:${hash}`
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-npmrc-'))
  const secret = path.join(folder, 'npmrc')
  try {
    writeFileSync(secret, [npmSettings(), ...npmrc, ''].join('\n'), { mode: 0o600 })
    const args = Object.entries({ BASE: base, ...buildArgs }).flatMap(([name, value]) => [
      '--build-arg',
      `${name}=${value}`,
    ])
    await run(
      // The second of two builds at once finds the layers of the first.
      'flock',
      [
        path.join(CACHE, 'build.lock'),
        'sh',
        '-c',
        `${REMOVE_KILLED_BUILDS}; exec buildah build "$@"`,
        'build',
        // Docker's format has health checks, OCI's has none.
        '--format=docker',
        '--layers',
        `--secret=id=npmrc,src=${secret}`,
        ...args,
        '--file=Containerfile',
        `--tag=${tag}`,
        '.',
      ],
      { cwd: ROOT },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tag
}

/** How this machine reaches the package registry: npm's own settings, and the certificates that Node trusts here. */
function npmSettings(): string {
  const get = (name: string) =>
    execFileSync('npm', ['config', 'get', name, '--location=user'], {
      cwd: os.tmpdir(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const lines = ['registry', 'proxy', 'https-proxy', 'noproxy'].flatMap((name) => {
    const value = get(name)
    return ['', 'null', 'undefined'].includes(value) ? [] : `${name}=${value}`
  })
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? get('cafile')
  if (certificates && certificates !== 'null')
    for (const [one] of readFileSync(certificates, 'utf8').matchAll(
      /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g,
    ))
      lines.push(`ca[]=${JSON.stringify(one)}`)
  // Tokens can't be asked for; they are lines such as `//registry.example/:_authToken=…`.
  const userconfig = get('userconfig')
  try {
    lines.push(
      ...readFileSync(userconfig, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('//')),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return `${lines.join('\n')}\n`
}
