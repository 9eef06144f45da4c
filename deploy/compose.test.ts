/**
 * `npm run test:compose`: starts the trial of docs/deploy.md from deploy/compose.yaml and deploy/compose.trial.yaml,
 * with podman and the image as built, and runs the guide's own curl lines against it over TLS.
 *
 * No registry is needed: Debian's packages of the same programs stand in for PostgreSQL, Valkey, Caddy and Prometheus.
 * Debian has no Garage, Grafana and Mailpit, so these three are left out, and the files are in a volume.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv, promisify } from 'node:util'
import { down, readCompose, type StandIn, up } from '../scripts/compose.ts'
import { debianImage, podman, serverImage, whyNoContainers } from '../scripts/containers.ts'
import { freePort } from '../scripts/postgres.ts'
import { makeSecrets } from './make-secrets.ts'

type Json = any

const GUIDE = path.join(import.meta.dirname, '../docs/guide')
const MINUTES_MAX = 3
const LEFT_OUT = ['garage', 'grafana', 'mail']
const S3 = ['S3_ACCESS_KEY_ID', 'S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_SECRET_ACCESS_KEY']

/** Does what the entry point of the registry's image does at the first start: initdb, and the files of initdb.d. */
const POSTGRES_ENTRYPOINT = `#!/bin/sh
set -eu
export PATH=/usr/lib/postgresql/18/bin:$PATH PGDATA=/var/lib/postgresql/18/docker
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait --silent --options="-c listen_addresses=''" start >/dev/null
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql --quiet --set=ON_ERROR_STOP=1 --username=postgres --file="$file" postgres
  done
  pg_ctl --wait --silent --mode=fast stop
fi
exec "$@" -c listen_addresses='*'
`

const why = whyNoContainers()

describe('deploy/compose.yaml, as a trial', {
  skip: why ? `${why}: nothing was started` : false,
  timeout: 900_000,
}, () => {
  const name = `legwork-${randomBytes(4).toString('hex')}`
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-compose-'))
  const variables = parseEnv(
    makeSecrets('compose', {
      domain: 'legwork.localhost',
      email: 'ops@example.com',
      isTrial: true,
    }),
  ) as Record<string, string>
  const { services, networks } = readCompose(
    ['compose.yaml', 'compose.trial.yaml'].map((file) => path.join(import.meta.dirname, file)),
    variables,
  )
  const project = { name, folder: import.meta.dirname, services, networks }
  let times: Record<string, number>
  let seconds: number

  before(async () => {
    const standIns = {
      ...(await makeStandIns()),
      'legwork:latest': { image: await serverImage() },
    }
    const port = await freePort()
    replace(port)
    const began = performance.now()
    times = await up(project, standIns)
    seconds = (performance.now() - began) / 1000
    // curl reads this file, so that the guide's lines need no change.
    const authority = '/data/caddy/pki/authorities/local/root.crt'
    const root = path.join(folder, 'root.crt')
    writeFileSync(root, await podman(['exec', `${name}-caddy`, 'cat', authority]))
    writeFileSync(
      path.join(folder, '.curlrc'),
      `cacert = "${root}"\nconnect-to = "::127.0.0.1:${port}"\nfail-with-body\nmax-time = 60\n`,
    )
  })

  after(async () => {
    await down(project)
    rmSync(folder, { recursive: true, force: true })
  })

  /** The changes that this test makes to the files. */
  function replace(port: number): void {
    for (const one of LEFT_OUT) delete services[one]
    for (const { depends_on } of Object.values(services))
      for (const one of LEFT_OUT) delete depends_on[one]
    for (const one of ['api-1', 'api-2', 'jobs', 'desk', 'migrate']) {
      const { environment, volumes } = services[one]!
      for (const key of S3) delete environment[key]
      environment.FILES_DIR = '/files'
      volumes.push('files:/files:U')
    }
    // The ports of the machine may be taken.
    services.caddy!.ports = [`127.0.0.1:${port}:443`]
  }

  const curl = async (script: string) => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: {
        PATH: process.env.PATH,
        CURL_HOME: folder,
        LEGWORK_URL: 'https://legwork.localhost/api/v1',
      },
    }).catch((error: { stdout: string; stderr: string }) =>
      assert.fail(`${script}\n${error.stdout}\n${error.stderr}`),
    )
    return stdout
  }

  test(`starts every service in under ${MINUTES_MAX} minutes`, async (t) => {
    const shown = Object.entries(times).map(([one, took]) => `${one} ${took.toFixed(1)} s`)
    t.diagnostic(`${shown.join(', ')}; in all ${seconds.toFixed(0)} s`)

    assert.deepEqual(Object.keys(times).sort(), Object.keys(services).sort())
    assert(seconds < MINUTES_MAX * 60)
  })

  test('serves the guide’s curl lines, from a test agent to an approved task', async () => {
    const [agent] = linesOf('auth.md', '/test/agents')
    const blocks = linesOf('how-a-task-lives.md', 'LEGWORK_URL/tasks')
    const key = `LEGWORK_API_KEY=$(${agent!.trim()} -sS | grep -o 'lw_test_[^"]*' | head -1)\n`

    const said = await curl(`${key}${blocks.join('\n')}`)

    assert(blocks.length >= 3, `${blocks.length} blocks`)
    assert.match(said, /"status":"completed"/)
    assert.match(said, /"net_cents":410/)
  })

  test('serves the app, the console and the docs by TLS, and a photo from both processes', async () => {
    for (const page of ['', 'console', 'docs'])
      assert.match(
        await curl(`curl -sS -H 'accept: text/html' https://legwork.localhost/${page}`),
        /<!doctype html>/i,
      )
    const agent = await curl('curl -sS -X POST $LEGWORK_URL/test/agents')
    const key = /lw_test_[^"]+/.exec(agent)![0]
    const auth = `-H 'authorization: Bearer ${key}'`
    const created = await curl(
      `curl -sS $LEGWORK_URL/verify ${auth} --json '{"question":"Open?","location":"Wedel","proof":"photo"}'`,
    )
    const id = /task_[0-9a-z]+/.exec(created)![0]
    await curl(
      `until curl -sS "$LEGWORK_URL/tasks/${id}?wait=5" ${auth} | grep -q proof_submitted; do :; done`,
    )
    const proof = JSON.parse(await curl(`curl -sS $LEGWORK_URL/tasks/${id}/proof ${auth}`)) as Json

    // Small photos are part of the response; a process reads them from the volume. Requests go to both processes.
    assert.match(proof.proofs[0].photos[0], /^data:image\/jpeg;base64,/)
    for (let i = 0; i < 4; i += 1)
      assert.deepEqual(
        JSON.parse(await curl(`curl -sS $LEGWORK_URL/tasks/${id}/proof ${auth}`)),
        proof,
      )
  })

  test('serves the desk on a host of its own, and not on the public one', async () => {
    const page = await curl(`curl -sS -H 'accept: text/html' https://desk.legwork.localhost/desk`)
    const statusOf = (url: string) =>
      curl(`curl -sS --no-fail-with-body -o /dev/null -w '%{http_code}' ${url} || true`)

    assert.match(page, /<!doctype html>/i)
    assert.equal(await statusOf('https://desk.legwork.localhost/desk/api/session'), '401')
    assert.equal(await statusOf('https://legwork.localhost/desk/api/session'), '404')
    assert.equal(await statusOf('https://desk.legwork.localhost/api/v1/openapi.json'), '404')
  })

  test('counts a client by its own address in both processes, whatever it claims', async () => {
    const left = async (address: string) => {
      const headers = await curl(
        `curl -sS -o /dev/null -D - -X POST -H 'x-forwarded-for: ${address}' $LEGWORK_URL/test/agents`,
      )
      return Number(/^ratelimit: .*"\w*test\w*";r=(\d+)/im.exec(headers)?.[1])
    }
    const [first, second, third] = [
      await left('203.0.113.7'),
      await left('203.0.113.8'),
      await left('203.0.113.9'),
    ]

    assert(first! > 2, `${first} left`)
    assert.deepEqual([second, third], [first! - 1, first! - 2])
  })

  test('keeps serving while one API process is replaced', async () => {
    const id = `${name}-api-1`
    await podman(['stop', '--time=40', id])
    await curl('curl -sS -o /dev/null $LEGWORK_URL/openapi.json')
    await podman(['start', id])
    for (let tries = 0; ; tries += 1) {
      const isHealthy = await podman(['healthcheck', 'run', id]).then(
        () => true,
        () => false,
      )
      if (isHealthy) break
      assert(tries < 60, await podman(['logs', '--tail=20', id]))
      await sleep(500)
    }
  })

  test('is scraped by Prometheus, and its ledger and log are in order', async () => {
    const query = 'http://127.0.0.1:9090/api/v1/query?query=sum(up)'
    let up = ''
    for (let tries = 0; tries < 60 && !up.includes('"4"'); tries += 1) {
      up = await podman(['exec', `${name}-prometheus`, 'wget', '-qO-', query])
      await sleep(500)
    }
    const audit = await podman(
      ['exec', `${name}-jobs`, '/usr/local/bin/node', 'server/src/main.ts'].concat('ops', 'audit'),
    )
    const logs = await Promise.all(
      ['api-1', 'api-2', 'jobs', 'desk', 'migrate'].map((one) =>
        podman(['logs', `${name}-${one}`]),
      ),
    )
    const errors = logs
      // On a busy machine the first connection can take longer than the server waits for it.
      .map((log) => log.replace(/^.*Redis is unreachable.*\n(?=[^]*Redis is reachable again)/m, ''))
      .flatMap((log) => log.match(/^\{"level":"(?:error|fatal)".*$/gm) ?? [])

    assert.match(up, /"4"/, 'all four processes are up')
    assert.match(audit, /All ledger invariants hold\./)
    assert.deepEqual(errors, [])
  })
})

/** The bash blocks of a page of the guide that contain a text. */
function linesOf(page: string, text: string): string[] {
  return [...readFileSync(path.join(GUIDE, page), 'utf8').matchAll(/^```bash.*\n([^]*?)^```/gm)]
    .map((match) => match[1]!)
    .filter((block) => block.includes(text))
}

async function makeStandIns(): Promise<Record<string, StandIn>> {
  const image = await debianImage({
    name: 'services',
    suite: 'forky',
    packages: ['postgresql-18', 'valkey-server', 'caddy', 'prometheus', 'wget', 'libcap2-bin'],
    hooks: [
      // As in the registry's image of Caddy.
      'chroot "$1" setcap cap_net_bind_service=+ep /usr/bin/caddy',
      'rm -rf "$1/var/lib/postgresql" && mkdir -m 1777 "$1/var/lib/postgresql" "$1/prometheus" "$1/data"',
      // initdb wants a name for the user that it runs as.
      'echo postgres-18:x:999:999::/:/bin/sh >> "$1/etc/passwd"',
      `cat > "$1/entrypoint.sh" <<'END'\n${POSTGRES_ENTRYPOINT}END`,
      'chmod 755 "$1/entrypoint.sh"',
    ],
    changes: ['ENV PATH=/usr/lib/postgresql/18/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  })
  return {
    'postgres:18-bookworm': { image, entrypoint: ['/entrypoint.sh'] },
    'valkey/valkey:9-alpine': { image, workdir: '/data' },
    'caddy:2-alpine': {
      image,
      command: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
      environment: { XDG_CONFIG_HOME: '/config', XDG_DATA_HOME: '/data' },
    },
    'prom/prometheus:v3.5.0': { image, entrypoint: ['/usr/bin/prometheus'] },
  }
}
