/**
 * Prints the settings of a new deployment, with fresh keys and passwords. Lines that end with `=` are for you to fill
 * in. Keep the file: new keys log every worker out, and make stored webhook secrets unreadable. Never commit it.
 *
 *   node deploy/make-secrets.ts compose --domain example.com --email ops@example.com > deploy/.env
 *   node deploy/make-secrets.ts systemd --domain example.com --email ops@example.com > legwork.env
 *   node deploy/make-secrets.ts kubernetes > secrets.yaml
 *   node deploy/make-secrets.ts compose --trial > deploy/.env
 *
 * docs/deploy.md says what to do with each.
 */
import { createECDH, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

export const WAYS = ['compose', 'systemd', 'kubernetes'] as const
export type Way = (typeof WAYS)[number]

interface Options {
  domain: string
  email: string
  /** For deploy/compose.trial.yaml: a sandbox processor and an inbox, so nothing is left to fill in. */
  isTrial?: boolean
}

const TRIAL = { domain: 'legwork.localhost', email: 'ops@example.com', isTrial: true }

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const base64 = (bytes: number) => randomBytes(bytes).toString('base64')

/** Settings that only the operator knows. They are printed empty; the server names them and refuses to start. */
const TO_FILL_IN = {
  SMTP_URL: '',
  STRIPE_SECRET_KEY: '',
  STRIPE_SECRETS_ACCOUNT: '',
  STRIPE_SECRETS_CONNECT: '',
  STRIPE_SECRETS_V2: '',
}

const FILL_IN = {
  'Fill these in: your mail server, and the keys from the dashboard of Stripe': TO_FILL_IN,
}

const trialSettings = () => ({
  SMTP_URL: 'smtp://mail:1025/?ignoreTLS=true&requireTLS=false',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_SECRETS_ACCOUNT: `whsec_${hex(32)}`,
  STRIPE_SECRETS_CONNECT: `whsec_${hex(32)}`,
  STRIPE_SECRETS_V2: `whsec_${hex(32)}`,
  SANDBOX_TOKEN: hex(16),
})

/** Keys that the server alone uses. */
function serverKeys() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    WORKER_TOKEN_KEYS: base64(32),
    WEBHOOK_SECRET_KEYS: base64(32),
    FILES_LINK_KEY: hex(32),
    PUSH_PUBLIC_KEY: pair.getPublicKey('base64url'),
    // A private key with leading zero bytes must keep its 32 bytes.
    PUSH_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  }
}

const publicSettings = ({ domain, email }: Options) => ({
  PUBLIC_URL: `https://${domain}`,
  DESK_URL: `https://desk.${domain}`,
  DESK_PORT: '8070',
  MAIL_FROM: `Legwork <no-reply@${domain}>`,
  SECURITY_CONTACT: `mailto:${email}`,
  PUSH_SUBJECT: `mailto:${email}`,
})

function composeFile(options: Options): string {
  const [owner, app, valkey] = [hex(24), hex(24), hex(24)]
  const { domain } = options
  // Browsers trust plain http on .localhost names, and containers don't know the certificate that Caddy makes for them.
  const scheme = domain.endsWith('.localhost') ? 'http' : 'https'
  return renderEnv({
    'Settings of the server (docs/settings.md)': {
      ...publicSettings(options),
      DATABASE_URL: `postgres://legwork:${app}@postgres:5432/legwork`,
      MIGRATE_DATABASE_URL: `postgres://legwork_owner:${owner}@postgres:5432/legwork`,
      REDIS_URL: `redis://:${valkey}@valkey:6379`,
      S3_ENDPOINT: `${scheme}://files.${domain}`,
      S3_ACCESS_KEY_ID: `GK${hex(12)}`,
      S3_SECRET_ACCESS_KEY: hex(32),
      ...serverKeys(),
    },
    ...(options.isTrial ? { 'Sandbox processor and inbox': trialSettings() } : FILL_IN),
    'Settings of the other containers': {
      LEGWORK_DOMAIN: domain,
      POSTGRES_PASSWORD: hex(24),
      LEGWORK_OWNER_PASSWORD: owner,
      LEGWORK_APP_PASSWORD: app,
      VALKEY_PASSWORD: valkey,
      GARAGE_RPC_SECRET: hex(32),
      GRAFANA_PASSWORD: hex(12),
    },
  })
}

function systemdFile(options: Options): string {
  const [owner, app, valkey] = [hex(24), hex(24), hex(24)]
  return renderEnv({
    'Settings of the server (docs/settings.md)': {
      ...publicSettings(options),
      DATABASE_URL: `postgres://legwork:${app}@127.0.0.1:5432/legwork`,
      MIGRATE_DATABASE_URL: `postgres://legwork_owner:${owner}@127.0.0.1:5432/legwork`,
      REDIS_URL: `redis://:${valkey}@127.0.0.1:6379`,
      ...serverKeys(),
    },
    ...FILL_IN,
    'Passwords for deploy/roles.sql, and `requirepass` of Redis or Valkey': {
      LEGWORK_OWNER_PASSWORD: owner,
      LEGWORK_APP_PASSWORD: app,
      VALKEY_PASSWORD: valkey,
    },
  })
}

/** Public settings are in the overlay, where a review sees them. */
function kubernetesFile(): string {
  const valkey = hex(24)
  return [
    login('legwork-owner-login', 'legwork_owner'),
    login('legwork-app-login', 'legwork'),
    secret('legwork-valkey', { password: valkey }),
    secret('legwork-backups', { ACCESS_KEY_ID: '', SECRET_ACCESS_KEY: '' }),
    secret('legwork-secrets', {
      REDIS_URL: `redis://:${valkey}@legwork-valkey:6379`,
      S3_ACCESS_KEY_ID: '',
      S3_SECRET_ACCESS_KEY: '',
      ...serverKeys(),
      ...TO_FILL_IN,
    }),
  ].join('---\n')
}

/** CloudNativePG sets the password; the processes read `uri`. */
function login(name: string, username: string): string {
  const password = hex(24)
  const tls = 'sslmode=verify-full&sslrootcert=/etc/legwork/database-ca/ca.crt'
  const uri = `postgres://${username}:${password}@legwork-database-rw:5432/legwork?${tls}`
  return secret(name, { username, password, uri }, 'kubernetes.io/basic-auth')
}

function secret(name: string, data: Record<string, string>, type = 'Opaque'): string {
  const lines = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)
  return [
    'apiVersion: v1',
    'kind: Secret',
    `metadata: { name: ${name} }`,
    `type: ${type}`,
    'stringData:',
    ...lines,
    '',
  ].join('\n')
}

function renderEnv(parts: Record<string, Record<string, string>>): string {
  return Object.entries(parts)
    .map(([title, settings]) => {
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
      return `# ${title}\n${lines.join('\n')}\n`
    })
    .join('\n')
}

export function makeSecrets(way: Way, options: Options): string {
  switch (way) {
    case 'compose':
      return composeFile(options)
    case 'systemd':
      return systemdFile(options)
    case 'kubernetes':
      return kubernetesFile()
  }
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      domain: { type: 'string' },
      email: { type: 'string' },
      trial: { type: 'boolean', default: false },
    },
  })
  const way = WAYS.find((one) => one === positionals[0])
  const { domain = '', email = '', trial } = values
  const isComplete = way === 'kubernetes' || (way === 'compose' && trial) || (domain && email)
  if (way === undefined || !isComplete) {
    console.error(`Usage: make-secrets.ts ${WAYS.join(' | ')} --domain <domain> --email <contact>`)
    process.exitCode = 2
    return
  }
  process.stdout.write(makeSecrets(way, trial ? TRIAL : { domain, email }))
}

if (import.meta.main) main()
