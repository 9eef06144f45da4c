/**
 * Samples for each endpoint: curl and Python, generated from the OpenAPI declaration, and the SDK. Values that can't be
 * generated, such as a sensible question, come from the table. scripts/guide.test.ts sends every one of them.
 */
import type { Operation, Schema } from './openapi.ts'
import type { Block } from './panel.ts'
import { pythonOf } from './python-samples.ts'
import { exampleOf } from './schema.ts'

interface Sample {
  body?: Record<string, unknown>
  query?: string
  ts?: string
  cli?: string
}

const BAKERY = { question: 'Is the bakery at Moorweg 12 open?', location: 'Moorweg 12, Wedel' }

/** An OAuth authorization request, without its client. */
const ASKED_ACCESS = {
  response_type: 'code',
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const SAMPLES: Record<string, Sample> = {
  'POST /tasks': {
    body: {
      description: 'Photograph the opening hours on the door of the bakery at Moorweg 12.',
      budget_cents: 500,
      proof_required: 'photo',
      location: 'Moorweg 12, Wedel',
      deadline: '2h',
    },
    cli: 'npx @legwork/cli ask "Photograph the opening hours of the bakery." --photo --where "Moorweg 12, Wedel"',
  },
  'GET /tasks': {
    query: 'status=proof_submitted&limit=20',
    ts: `const { tasks } = await legwork.tasks.list({ status: 'proof_submitted', limit: 20 })`,
    cli: 'npx @legwork/cli tasks --status proof_submitted',
  },
  'GET /tasks/:id': {
    query: 'wait=30',
    ts: `const task = await legwork.tasks.get(taskId)`,
    cli: 'npx @legwork/cli task $TASK_ID',
  },
  'GET /tasks/:id/proof': {
    query: 'media=url',
    ts: `const { proofs } = await legwork.tasks.proof(taskId)`,
    cli: 'npx @legwork/cli proof $TASK_ID --out proofs',
  },
  'POST /tasks/:id/approve': {
    body: { tip_cents: 100 },
    ts: `const { settlement } = await legwork.tasks.approve(taskId, { tip_cents: 100 })`,
    cli: 'npx @legwork/cli approve $TASK_ID',
  },
  'POST /tasks/:id/dispute': {
    body: { reason: 'The photo shows another shop.', category: 'wrong_place' },
    ts: `await legwork.tasks.dispute(taskId, { reason: 'The photo shows another shop.' })`,
    cli: 'npx @legwork/cli dispute $TASK_ID --reason "The photo shows another shop."',
  },
  'POST /tasks/:id/dispute/withdraw': { ts: `await legwork.tasks.withdrawDispute(taskId)` },
  'POST /tasks/:id/dispute/answer': {
    body: { statement: 'The sign in the photo has another name on it.' },
    ts: `await legwork.tasks.answerAppeal(taskId, { statement: 'The sign in the photo has another name on it.' })`,
  },
  'POST /tasks/:id/request-revision': {
    body: { note: 'The last line of the sign is cut off. Please step back a little.' },
    ts: `await legwork.tasks.requestRevision(taskId, { note: 'The last line of the sign is cut off.' })`,
  },
  'POST /tasks/:id/cancel': {
    ts: `await legwork.tasks.cancel(taskId)`,
    cli: 'npx @legwork/cli cancel $TASK_ID',
  },
  'POST /tasks/:id/payout': { ts: `const payouts = await legwork.tasks.payout(taskId)` },
  'POST /verify': {
    body: { ...BAKERY, proof: 'photo' },
    ts: `const task = await legwork.verify({
  question: 'Is the bakery at Moorweg 12 open?',
  location: 'Moorweg 12, Wedel',
  proof: 'photo',
})`,
  },
  'POST /call': {
    body: {
      description: 'Ask whether they have a table for two at eight.',
      number: '+4941034711',
      script: 'Good evening, I would like to book a table for two at eight.',
    },
    ts: `const task = await legwork.call({
  description: 'Ask whether they have a table for two at eight.',
  number: '+4941034711',
})`,
  },
  'POST /gut-check': {
    body: {
      content: 'Legwork: people for the last mile of your agent.',
      question: 'Would you click on this?',
      scale: '1-5',
      consensus: 3,
    },
    ts: `const task = await legwork.gutCheck({
  content: 'Legwork: people for the last mile of your agent.',
  question: 'Would you click on this?',
  scale: '1-5',
  consensus: 3,
})`,
  },
  'POST /field': {
    body: {
      mission: 'Walk around the block and note every shop that is empty.',
      location: 'Moorweg 12, Wedel',
      checklist: ['A photo of each window', 'The house number'],
    },
    ts: `const task = await legwork.field({
  mission: 'Walk around the block and note every shop that is empty.',
  location: 'Moorweg 12, Wedel',
})`,
  },
  'POST /escalate': {
    body: {
      situation: 'A customer waited three weeks for a birthday present that is lost.',
      goal: 'He feels heard, and knows what happens next.',
      tone: 'warm',
    },
    ts: `const task = await legwork.escalate({
  situation: 'A customer waited three weeks for a birthday present that is lost.',
  goal: 'He feels heard, and knows what happens next.',
})`,
  },
  'POST /vibe': {
    body: {
      content: '“We are sorry that you feel that way.”',
      question: 'How does this feel?',
      scale: '1-10',
    },
    ts: `const task = await legwork.vibe({
  content: '“We are sorry that you feel that way.”',
  question: 'How does this feel?',
  scale: '1-10',
})`,
  },
  'GET /quote': {
    query: 'type=verification&where=Wedel',
    ts: `const quote = await legwork.quote({ type: 'verification', where: 'Wedel' })`,
    cli: 'npx @legwork/cli quote --type verification --where Wedel',
  },
  'GET /wallet': {
    ts: `const wallet = await legwork.wallet.get()`,
    cli: 'npx @legwork/cli wallet',
  },
  'POST /wallet/deposit': {
    body: { amount_cents: 5000 },
    ts: `const { checkout_url } = await legwork.wallet.deposit({ amount_cents: 5000 })`,
  },
  'GET /stats': { ts: `const stats = await legwork.stats.get()` },
  'GET /stats/spend': {
    query: 'days=30',
    ts: `const spend = await legwork.stats.spend({ days: 30 })`,
  },
  'POST /agents/register': {
    body: { name: 'Atlas Maps', email: 'atlas@example.com' },
    ts: `const agent = await legwork.agents.register({ name: 'Atlas Maps', email: 'atlas@example.com' })`,
  },
  'GET /agents/me': { ts: `const { agent, key } = await legwork.agents.me()` },
  'PATCH /agents/me': {
    body: { events: ['task.proof_submitted', 'task.completed'] },
    ts: `await legwork.agents.update({ events: ['task.proof_submitted', 'task.completed'] })`,
  },
  'GET /agents/me/checklist': {
    ts: `const { items, can_go_live } = await legwork.agents.checklist()`,
  },
  'GET /agents/keys': {
    ts: `const keys = await legwork.keys.list()`,
    cli: 'npx @legwork/cli keys list',
  },
  'POST /agents/keys': {
    body: { name: 'Research agent' },
    ts: `const key = await legwork.keys.create({ name: 'Research agent' })`,
  },
  'PATCH /agents/keys/:id': {
    body: { day_max_cents: 2000 },
    ts: `await legwork.keys.update(keyId, { day_max_cents: 2000 })`,
  },
  'POST /agents/keys/:id/rotate': {
    ts: `const { key, old_expires_at } = await legwork.keys.rotate(keyId)`,
  },
  'DELETE /agents/keys/:id': { ts: `await legwork.keys.delete(keyId)` },
  'GET /agents/connections': { ts: `const connections = await legwork.connections.list()` },
  'DELETE /agents/connections/:id': { ts: `await legwork.connections.end(connectionId)` },
  'POST /agents/questions': {
    body: { subject: 'billing', text: 'Can I have an invoice for October?' },
    ts: `const question = await legwork.questions.ask({
  subject: 'billing',
  text: 'Can I have an invoice for October?',
})`,
  },
  'GET /agents/questions': {
    query: 'limit=5',
    ts: `const { questions, service_time } = await legwork.questions.list({ limit: 5 })`,
  },
  'GET /agents/questions/:id': {
    ts: `const { status, messages } = await legwork.questions.get(questionId)`,
  },
  'POST /agents/questions/:id/replies': {
    body: { text: 'One for September as well, please.' },
    ts: `await legwork.questions.reply(questionId, { text: 'One for September as well, please.' })`,
  },
  'POST /agents/questions/:id/close': { ts: `await legwork.questions.close(questionId)` },
  'GET /events': {
    query: 'after=latest&limit=10',
    ts: `for await (const event of legwork.events.follow()) console.log(event.type, event.id)`,
    cli: 'npx @legwork/cli events',
  },
  'POST /events/:id/redeliver': {
    ts: `await legwork.events.redeliver(eventId)`,
    cli: 'npx @legwork/cli events resend $EVENT_ID',
  },
  'POST /events/replay': {
    body: { from: '2026-11-15T08:00:00Z' },
    ts: `await legwork.events.replay({ from: '2026-11-15T08:00:00Z' })`,
  },
  'GET /webhooks/deliveries': {
    query: 'limit=20',
    ts: `const { deliveries } = await legwork.webhooks.deliveries()`,
  },
  'POST /webhooks/ping': { body: {}, ts: `await legwork.webhooks.ping()` },
  'POST /webhooks/rotate-secret': {
    body: {},
    ts: `const { webhook_secret } = await legwork.webhooks.rotateSecret()`,
  },
  'GET /requests': { query: 'limit=20', ts: `const { requests } = await legwork.requests.list()` },
  'GET /requests/:id': { ts: `const request = await legwork.requests.get(requestId)` },
  'POST /test/agents': {
    body: { name: 'My first agent' },
    ts: `const { agent } = await Legwork.createTestAgent({ name: 'My first agent' })`,
    cli: 'npx @legwork/cli init',
  },
  'POST /test/clock/advance': {
    body: { by: '24h' },
    ts: `const { fired } = await legwork.test.advanceClock('24h')`,
    cli: 'npx @legwork/cli clock advance 24h',
  },
  'GET /test/clock': { ts: `const { next } = await legwork.test.clock()` },
  'POST /test/workers': {
    body: { name: 'Me' },
    ts: `const { token, app_url } = await legwork.test.createWorker({ name: 'Me' })`,
    cli: 'npx @legwork/cli sandbox work',
  },
  'POST /console/session': { body: { api_key: '$LEGWORK_API_KEY' } },
  'GET /console/connect': {
    query: new URLSearchParams(ASKED_ACCESS).toString() + '&client_id=$CLIENT_ID',
    ts: `const asked = await legwork.connections.asked({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})`,
  },
  'POST /console/connect': {
    body: {
      ...ASKED_ACCESS,
      client_id: '$CLIENT_ID',
      scopes: ['create', 'read'],
      days: 90,
      month_max_cents: 2000,
    },
    ts: `const redirectUrl = await legwork.connections.grant({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scopes: ['create', 'read'],
  days: 90,
  month_max_cents: 2000,
})`,
  },
  'POST /worker/register': {
    body: { name: 'Ada', email: 'ada@example.com', password: 'a few quiet words' },
  },
  'POST /worker/login': { body: { email: 'ada@example.com', password: 'a few quiet words' } },
  'POST /worker/session': { body: { email: 'ada@example.com', password: 'a few quiet words' } },
  'POST /worker/verify/resend': { body: { email: 'ada@example.com' } },
  'POST /worker/password/forgot': { body: { email: 'ada@example.com' } },
  'POST /worker/password/reset': {
    body: { token: '$LINK_TOKEN', password: 'a few quiet words more' },
  },
  'GET /worker/verify': { query: 'token=$LINK_TOKEN' },
  'POST /worker/verify': { body: { token: '$LINK_TOKEN' } },
  'POST /worker/email/confirm': { body: { token: '$LINK_TOKEN' } },
  'POST /worker/email/undo': { body: { token: '$LINK_TOKEN' } },
  'POST /worker/email': {
    body: { email: 'new@example.com', current_password: 'a few quiet words' },
  },
  'POST /worker/password': {
    body: { current_password: 'a few quiet words', password: 'a few quiet words more' },
  },
  'GET /worker/objections': { query: 'token=$LINK_TOKEN' },
  'GET /worker/feed': { query: 'sort=pay&limit=20' },
  'GET /worker/preview': { query: 'lat=53.58&lng=9.7' },
  'GET /worker/tasks': { query: 'status=accepted' },
  'POST /worker/tasks/:id/proof': {
    body: { text: 'Open. The sign says Mon to Fri, 6:30 to 18:00.' },
  },
  'POST /worker/tasks/:id/release': { body: { reason: 'My bus was late.' } },
  'POST /worker/tasks/:id/appeal': {
    body: { statement: 'The name is on the sign, at the left edge.' },
  },
  'POST /worker/tasks/:id/report': { body: { kind: 'dangerous' } },
  'POST /worker/uploads': {
    body: {
      task_id: '$TASK_ID',
      kind: 'photo',
      content_type: 'image/jpeg',
      bytes: 120000,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
  },
  'PUT /worker/profile': { body: { skills: ['photography'], languages: ['en', 'de'] } },
  'GET /worker/earnings': { query: 'period=week&tz=Europe/Berlin' },
  'GET /worker/leaderboard': { query: 'period=week' },
  'POST /worker/notices/read': { body: { up_to: 'ntc_01m7fh382revhrpf3ec4gb30ke' } },
  'POST /worker/questions': {
    body: { subject: 'payment', text: 'When will my payout arrive?' },
  },
  'POST /worker/questions/:id/replies': { body: { text: 'It still did not arrive.' } },
  'PUT /worker/alert': { body: { lat: 53.58, lng: 9.7, radius_km: 10 } },
  'GET /files/:id': { query: 'expires=$EXPIRES&signature=$SIGNATURE' },
  'POST /worker/push': {
    body: {
      endpoint: 'https://push.example/send/1',
      keys: {
        p256dh:
          'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  },
}

/** Worker endpoints → the method of the SDK's LegworkWorker; it takes the same values as curl. */
const WORKER_METHODS: Record<string, string> = {
  'POST /worker/register': 'register',
  'GET /worker/verify': 'openVerifyLink',
  'POST /worker/verify': 'verify',
  'POST /worker/verify/resend': 'resendVerification',
  'POST /worker/login': 'login',
  'POST /worker/password/forgot': 'forgotPassword',
  'POST /worker/password/reset': 'resetPassword',
  'GET /worker/sessions': 'sessions',
  'DELETE /worker/sessions/:id': 'endDevice',
  'DELETE /worker/sessions': 'endSessions',
  'POST /worker/password': 'changePassword',
  'GET /worker/email': 'email',
  'POST /worker/email': 'changeEmail',
  'DELETE /worker/email': 'cancelEmailChange',
  'POST /worker/email/confirm': 'confirmEmailChange',
  'POST /worker/email/undo': 'undoEmailChange',
  'GET /worker/app': 'app',
  'GET /worker/preview': 'preview',
  'GET /worker/profile': 'profile',
  'PUT /worker/profile': 'updateProfile',
  'GET /worker/:id/public': 'publicProfile',
  'GET /worker/trust': 'trust',
  'GET /worker/earnings': 'earnings',
  'GET /worker/earnings/items': 'earningsItems',
  'GET /worker/payouts': 'payouts',
  'GET /worker/notices': 'notices',
  'POST /worker/notices/read': 'readNotices',
  'POST /worker/questions': 'ask',
  'GET /worker/questions': 'questions',
  'GET /worker/questions/:id': 'question',
  'POST /worker/questions/:id/replies': 'replyToQuestion',
  'POST /worker/questions/:id/close': 'closeQuestion',
  'GET /worker/leaderboard': 'leaderboard',
  'GET /worker/feed': 'feed.list',
  'GET /worker/feed/:id': 'feed.get',
  'GET /worker/tasks': 'tasks.list',
  'GET /worker/tasks/:id': 'tasks.get',
  'POST /worker/tasks/:id/accept': 'tasks.accept',
  'POST /worker/tasks/:id/proof': 'tasks.proof',
  'POST /worker/tasks/:id/release': 'tasks.release',
  'POST /worker/tasks/:id/appeal': 'tasks.appeal',
  'POST /worker/tasks/:id/report': 'tasks.report',
  'POST /worker/uploads': 'uploads.begin',
  'GET /worker/push': 'push.get',
  'POST /worker/push': 'push.subscribe',
  'DELETE /worker/push/:id': 'push.delete',
  'POST /worker/push/:id/test': 'push.test',
  'GET /worker/alert': 'alert.get',
  'PUT /worker/alert': 'alert.set',
  'DELETE /worker/alert': 'alert.delete',
  'POST /worker/stripe/connect': 'stripe.connect',
  'POST /worker/stripe/dashboard': 'stripe.dashboard',
  'GET /worker/stripe/status': 'stripe.status',
  'POST /worker/stripe/refresh': 'stripe.refresh',
}

/** The variable that replaces the id in a path. */
function idOf(path: string): string {
  if (path.startsWith('/agents/keys/')) return '$KEY_ID'
  if (path.startsWith('/agents/connections/')) return '$CONNECTION_ID'
  if (path.startsWith('/events/')) return '$EVENT_ID'
  if (path.startsWith('/requests/')) return '$REQUEST_ID'
  if (path.includes('/questions/')) return '$QUESTION_ID'
  if (path.startsWith('/worker/uploads/')) return '$UPLOAD_ID'
  if (path.startsWith('/worker/push/')) return '$DEVICE_ID'
  if (path.startsWith('/worker/sessions/')) return '$SESSION_ID'
  if (path === '/worker/:id/public') return '$WORKER_ID'
  if (path.startsWith('/files/')) return '$FILE_ID'
  return '$TASK_ID'
}

/** The smallest valid body, for endpoints that aren't in the table. */
const leastBody = (schema: Schema): Record<string, unknown> =>
  Object.fromEntries(
    (schema.required ?? []).map((name) => [name, exampleOf(schema.properties![name]!, name)]),
  )

const bodyOf = ({ name, body }: Operation) =>
  body === undefined ? undefined : (SAMPLES[name]?.body ?? leastBody(body))

export function curlOf(operation: Operation): string {
  const { method, path, name, caller, rawBody } = operation
  const query = SAMPLES[name]?.query
  const target = `$LEGWORK_URL${path.replace(':id', idOf(path))}${query === undefined ? '' : `?${query}`}`
  const address = query === undefined ? target : `"${target}"`
  const body = bodyOf(operation)
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  const secret = { agent: '$LEGWORK_API_KEY', worker: '$WORKER_TOKEN', anyone: undefined }[caller]
  // Close the single quotes around a variable, since the shell expands nothing within them.
  const json = (value: unknown) =>
    JSON.stringify(value, null, 2)
      .replaceAll('\n', '\n  ')
      .replaceAll(/"(\$[A-Z_]+)"/g, `"'$1'"`)
  const isOfBrowser = path.endsWith('/session') && method !== 'GET'
  return [
    `curl ${isPlain ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `}${address}`,
    ...(secret === undefined ? [] : [`-H "authorization: Bearer ${secret}"`]),
    ...(isOfBrowser ? [`-H "origin: $LEGWORK_ORIGIN"`] : []),
    ...(rawBody === undefined
      ? []
      : [`-H "content-type: ${rawBody}"`, '-H "upload-offset: 0"', '--data-binary @photo.jpg']),
    ...(body === undefined ? [] : [`--json '${json(body)}'`]),
  ].join(' \\\n  ')
}

/** The call with the SDK; undefined for calls that a program would never make. */
function typeScriptOf(operation: Operation): string | undefined {
  const { name } = operation
  const method = WORKER_METHODS[name]
  if (method !== undefined) return `await worker.${method}(${argumentsOf(operation)})`
  return name === 'POST /tasks'
    ? `const task = await legwork.tasks.create(${argumentsOf(operation)})`
    : SAMPLES[name]?.ts
}

function argumentsOf(operation: Operation): string {
  const { path, name } = operation
  const query = Object.fromEntries(
    [...new URLSearchParams(SAMPLES[name]?.query)].map(([field, value]) => [
      field,
      /^[\d.]+$/.test(value) ? Number(value) : value,
    ]),
  )
  const body = bodyOf(operation) ?? query
  return [
    ...(path.includes(':id') ? [camelCase(idOf(path))] : []),
    ...(Object.keys(body).length > 0 ? [literal(body)] : []),
  ].join(', ')
}

/** Formats a value as TypeScript: unquoted keys, single-quoted strings, variables by name. */
const literal = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll(/"(\$[A-Z_]+)"/g, (_, variable: string) => camelCase(variable))
    .replaceAll('"', `'`)

/** `$TASK_ID` becomes `taskId`. */
const camelCase = (variable: string) =>
  variable
    .slice(1)
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export function samplesOf(operation: Operation): Block[] {
  const ts = typeScriptOf(operation)
  const { cli, query } = SAMPLES[operation.name] ?? {}
  const python = pythonOf(operation, { body: bodyOf(operation), query, id: idOf(operation.path) })
  return [
    { language: 'bash', about: { tab: 'curl' }, code: curlOf(operation) },
    ...(ts === undefined ? [] : [{ language: 'ts', about: { tab: 'TypeScript' }, code: ts }]),
    { language: 'python', about: { tab: 'Python' }, code: python },
    ...(cli === undefined ? [] : [{ language: 'bash', about: { tab: 'CLI' }, code: cli }]),
  ]
}
