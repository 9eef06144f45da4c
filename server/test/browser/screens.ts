/**
 * Every screen of the app, and each of its states that looks different: who sees it, where it is, and the steps that
 * lead there. screens.test.ts checks the general requirements on each; `npm run screenshots` captures them.
 */
import assert from 'node:assert/strict'
import { isWhole } from './in-page.js'
import { shutOut } from '../decisions.ts'
import { drawDoor } from './door.ts'
import { completedBy } from '../payouts.ts'
import { signUp } from '../people.ts'
import { inPage, openPhone, type Phone, until } from './phone.ts'
import { type Scene, WEDEL } from './scene.ts'
import { pictureThere } from './street.ts'
import { type Say, wordsIn } from './words.ts'

type Person = 'ada' | 'ben' | 'nils' | 'mallory' | 'nobody'

export interface Visit {
  phone: Phone
  page: Phone['page']
  say: Say
}

export interface Screen {
  name: string
  /** The route as written in app.tsx. */
  address: string
  as: Person
  /** Values for the route parameters, and anything after the path. */
  at?(scene: Scene): string | Promise<string>
  /** Actions to take on the screen. */
  steps?(visit: Visit): Promise<unknown>
  /** Cleanup before another screen is checked. */
  leave?(visit: Visit): Promise<unknown>
}

const press = ({ page, say }: Visit, id: string) =>
  page
    .getByRole('button', { name: say(id) })
    .first()
    .tap()

/** Matches the start of the label: an explanation may follow it. */
const choose = ({ page, say }: Visit, id: string) =>
  page
    .locator('label')
    .filter({ hasText: new RegExp(say(id).source.replace(/\$$/, '')) })
    .first()
    .tap()

const openSheet = (id: string) => async (visit: Visit) => {
  await press(visit, id)
  await visit.page.getByRole('dialog').waitFor()
}

const withTask = (prefix: string, name: keyof Scene['tasks'], suffix = '') => ({
  address: `${prefix}/:id${suffix}`,
  at: (scene: Scene) => `${prefix}/${scene.tasks[name]}${suffix}`,
})
const ownDoor = {
  address: '/active/:id',
  at: async (scene: Scene) => `/active/${await scene.takeDoor()}`,
}

const scrollToPending = ({ page, say }: Visit, id: string) =>
  page
    .locator('main section')
    .filter({ has: page.getByRole('link', { name: say(id) }) })
    .scrollIntoViewIfNeeded()

async function openCamera(visit: Visit): Promise<void> {
  await press(visit, 'active.openCamera')
  await visit.page.locator('video').waitFor()
  await visit.page.getByText(/±/).first().waitFor()
}

async function photograph(visit: Visit): Promise<void> {
  await openCamera(visit)
  await pictureThere(visit.page)
  await press(visit, 'active.camera.shutter')
  await visit.page.locator('main img').first().waitFor()
}

async function sendProof(visit: Visit): Promise<void> {
  await photograph(visit)
  await choose(visit, 'active.answer.yes')
  await press(visit, 'active.sendProof')
}

let lockedOut: Awaited<ReturnType<typeof signUp>>

async function openObjection({ market }: Scene): Promise<string> {
  const person = await signUp(market)
  const { token } = await shutOut(market, person)
  return `/objection?token=${token}`
}

/** A closed worker who is owed money and whose other work is disputed. */
async function openOwed({ market }: Scene): Promise<string> {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const { id, workers } = await market.taskIn(agent, 'proof_submitted', {
    title: 'Photograph the menu of the café',
  })
  const [worker] = workers
  assert(worker)
  await completedBy(agent, [worker])
  const { token } = await shutOut(market, worker, 'close')
  const reason = 'The prices can’t be read.'
  const { status } = await agent.post(`/tasks/${id}/dispute`, { reason })
  assert.equal(status, 200)
  return `/objection?token=${token}`
}

const goOffline = ({ phone }: Visit) => phone.context.setOffline(true)
const goOnline = ({ phone }: Visit) => phone.context.setOffline(false)
const SESSION = '**/api/v1/worker/session'
const FEED = '**/api/v1/worker/feed?*'
const UPLOADS = '**/api/v1/worker/uploads/**'

export const SCREENS: Screen[] = [
  { name: 'hello', address: '/hello', as: 'nobody' },
  {
    name: 'hello-near',
    address: '/hello',
    as: 'nobody',
    steps: (visit) => press(visit, 'hello.nearMe'),
  },
  { name: 'join', address: '/join', as: 'nobody' },
  {
    name: 'join-problems',
    address: '/join',
    as: 'nobody',
    steps: (visit) => press(visit, 'join.submit'),
  },
  { name: 'check-mail', address: '/check-mail', as: 'nils' },
  {
    name: 'verify',
    address: '/verify',
    as: 'nobody',
    at: ({ nils }) => `/verify?token=${nils.linkToken}`,
  },
  {
    name: 'verify-over',
    address: '/verify',
    as: 'nobody',
    at: () => '/verify?token=old',
    steps: (visit) => press(visit, 'verify.confirm'),
  },
  {
    name: 'play',
    address: '/play',
    as: 'ben',
    at: async ({ agents }) => {
      const { body } = await agents.atlas.test.post('/test/workers', {})
      return `/play#token=${body.token}`
    },
  },
  { name: 'play-over', address: '/play', as: 'nobody' },
  { name: 'login', address: '/login', as: 'nobody' },
  {
    name: 'login-ended',
    address: '/login',
    as: 'ben',
    at: () => '/me/trust',
    async steps({ phone, page }) {
      const cookies = await phone.context.cookies()
      await phone.context.clearCookies()
      await page.locator('nav a[href="/earnings"]').tap()
      await page.waitForURL(/\/login/)
      await phone.context.addCookies(cookies)
    },
  },
  { name: 'forgot', address: '/forgot', as: 'nobody' },
  {
    name: 'forgot-sent',
    address: '/forgot',
    as: 'nobody',
    async steps(visit) {
      await visit.page.locator('input[type=email]').fill('ada@example.com')
      await press(visit, 'over.send')
      await visit.page.getByText('ada@example.com').waitFor()
    },
  },
  {
    name: 'login-suspended',
    address: '/login',
    as: 'nobody',
    async at({ market }) {
      lockedOut = await signUp(market)
      await shutOut(market, lockedOut)
      return '/login'
    },
    async steps(visit) {
      await visit.page.locator('input[type=email]').fill(lockedOut.email)
      await visit.page.locator('input[type=password]').fill(lockedOut.password)
      await press(visit, 'login.submit')
      await visit.page.locator('a[href^="/objection"]').waitFor()
    },
  },
  { name: 'objection', address: '/objection', as: 'nobody', at: openObjection },
  { name: 'objection-owed', address: '/objection', as: 'nobody', at: openOwed },
  {
    name: 'objection-sent',
    address: '/objection',
    as: 'nobody',
    at: openObjection,
    async steps(visit) {
      await visit.page.locator('textarea').fill('I took these photos myself.')
      await press(visit, 'objection.send')
      await visit.page.getByText(visit.say('objection.sentTitle')).waitFor()
    },
  },
  {
    name: 'objection-expired',
    address: '/objection',
    as: 'nobody',
    at: () => '/objection?token=old',
  },
  { name: 'reset', address: '/reset', as: 'nobody', at: () => '/reset?token=any' },
  { name: 'public-profile', address: '/u/:id', as: 'nobody', at: ({ ada }) => `/u/${ada.id}` },
  { name: 'public-nobody', address: '/u/:id', as: 'nobody', at: () => '/u/worker_nobody' },
  { name: 'payouts-return', address: '/payouts/return', as: 'ada' },
  { name: 'payouts-return-stranger', address: '/payouts/return', as: 'nobody' },
  { name: 'payouts-refresh', address: '/payouts/refresh', as: 'ben' },

  { name: 'find', address: '/', as: 'ada' },
  { name: 'find-first', address: '/', as: 'ben' },
  { name: 'find-filter', address: '/', as: 'ada', steps: openSheet('find.moreFilters') },
  {
    name: 'find-empty',
    address: '/',
    as: 'ben',
    async steps(visit) {
      await press(visit, 'find.moreFilters')
      const dialog = visit.page.getByRole('dialog')
      // A call never asks for a photo, so this combination has no results.
      for (const id of ['type.voice_proxy', 'proof.photo'])
        await dialog.getByRole('button', { name: visit.say(id) }).tap()
      // The last button clears the filters; this is the one above it.
      await dialog.getByRole('button').nth(-2).tap()
      await visit.page.getByText(visit.say('find.noneTitle')).waitFor()
    },
    leave: (visit) => press(visit, 'find.clear'),
  },
  {
    name: 'find-session-ends',
    address: '/',
    as: 'ada',
    async steps({ page, say }) {
      await page.route(SESSION, async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as object
        await route.fulfill({
          response,
          json: { ...body, expires_at: new Date(Date.now() + 5 * 3_600_000).toISOString() },
        })
      })
      await page.reload()
      await page.getByText(say('shell.sessionEnds')).waitFor()
    },
    leave: ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }),
  },
  {
    name: 'find-failed',
    address: '/',
    as: 'ben',
    async steps({ page, say }) {
      await page.route(FEED, (route) =>
        route.fulfill({
          status: 400,
          json: { error: 'No', code: 'server_error', request_id: 'req_7Hs2Kd' },
        }),
      )
      // Deletes everything stored by earlier screens.
      await page.evaluate(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
        new Promise((done) => { const gone = indexedDB.deleteDatabase(name); gone.onsuccess = gone.onblocked = done }))))`)
      await page.reload()
      await page.getByText(say('shell.failedTitle')).waitFor()
    },
    leave: ({ page }) => page.unroute(FEED),
  },
  {
    name: 'find-offline',
    address: '/',
    as: 'ada',
    async steps(visit) {
      await goOffline(visit)
      await visit.page.getByText(visit.say('shell.offline')).waitFor()
    },
    leave: goOnline,
  },
  { name: 'map', address: '/map', as: 'ada' },
  { name: 'setup', address: '/setup', as: 'ben' },
  { name: 'practice', address: '/practice', as: 'ben' },
  { name: 'practice-done', address: '/practice', as: 'ben', steps: photograph },

  { name: 'task', as: 'ada', ...withTask('/task', 'bakery') },
  {
    name: 'task-money',
    as: 'ada',
    ...withTask('/task', 'bakery'),
    steps: (visit) => press(visit, 'find.howWorkedOut'),
  },
  { name: 'task-consensus', as: 'ada', ...withTask('/task', 'consensus') },
  { name: 'task-locked', as: 'ada', ...withTask('/task', 'locked') },
  { name: 'task-missing', as: 'ada', ...withTask('/task', 'skilled') },
  { name: 'task-gone', as: 'ben', ...withTask('/task', 'today') },
  { name: 'task-script', as: 'mallory', ...withTask('/task', 'scriptOpen') },

  { name: 'active', address: '/active', as: 'ada' },
  { name: 'active-empty', address: '/active', as: 'ben' },
  { name: 'work-photo', as: 'ada', ...withTask('/active', 'photo') },
  { name: 'work-scale', as: 'ada', ...withTask('/active', 'scale') },
  { name: 'work-call', as: 'ada', ...withTask('/active', 'call') },
  { name: 'work-again', as: 'ada', ...withTask('/active', 'again') },
  { name: 'work-script', as: 'mallory', ...withTask('/active', 'scriptHeld') },
  { name: 'work-camera', as: 'ada', ...ownDoor, steps: openCamera },
  {
    name: 'work-video',
    as: 'ada',
    ...withTask('/active', 'video'),
    async steps(visit) {
      await press(visit, 'active.openVideo')
      await visit.page.locator('video').waitFor()
    },
  },
  {
    name: 'work-audio',
    as: 'ada',
    ...withTask('/active', 'audio'),
    async steps(visit) {
      await press(visit, 'active.openAudio')
      await visit.page.getByRole('button', { name: visit.say('active.camera.record') }).waitFor()
    },
  },
  { name: 'work-check', as: 'ada', ...ownDoor, steps: photograph },
  {
    name: 'work-check-missing',
    as: 'ada',
    ...ownDoor,
    async steps(visit) {
      await photograph(visit)
      await press(visit, 'active.sendProof')
    },
  },
  {
    name: 'work-sending',
    as: 'ada',
    ...ownDoor,
    async steps(visit) {
      await visit.page.route(UPLOADS, () => {})
      await sendProof(visit)
      await visit.page.getByRole('progressbar').waitFor()
    },
    leave: ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }),
  },
  {
    name: 'work-saved',
    as: 'ada',
    ...ownDoor,
    async steps(visit) {
      await photograph(visit)
      await goOffline(visit)
      await choose(visit, 'active.answer.yes')
      await press(visit, 'active.sendProof')
      await visit.page.getByText(visit.say('active.saved.title')).waitFor()
    },
    leave: goOnline,
  },
  {
    name: 'work-sent',
    as: 'ada',
    ...ownDoor,
    async steps(visit) {
      await sendProof(visit)
      await visit.page.getByText(visit.say('active.sent.title')).waitFor()
    },
  },
  { name: 'status-review', as: 'ada', ...withTask('/active', 'review') },
  { name: 'status-approved', as: 'ada', ...withTask('/active', 'today') },
  { name: 'status-disputed', as: 'ada', ...withTask('/active', 'disputed') },
  { name: 'status-dispute-held', as: 'ada', ...withTask('/active', 'disputeHeld') },
  { name: 'status-cancelled', as: 'ada', ...withTask('/active', 'cancelled') },
  { name: 'status-late', as: 'ada', ...withTask('/active', 'late') },
  { name: 'problem', as: 'ada', ...withTask('/active', 'call', '/problem') },
  {
    name: 'problem-report',
    as: 'ada',
    ...withTask('/active', 'call', '/problem'),
    steps: (visit) => choose(visit, 'active.problem.report'),
  },
  {
    name: 'work-found',
    as: 'ada',
    address: '/active/:id',
    at: async (scene) => `/active/${await scene.takeDoor()}/problem`,
    async steps(visit) {
      await choose(visit, 'active.problem.found')
      await press(visit, 'active.problem.foundDo')
    },
  },

  { name: 'earnings', address: '/earnings', as: 'ada' },
  {
    name: 'earnings-month',
    address: '/earnings',
    as: 'ada',
    steps: (visit) => choose(visit, 'earnings.month'),
  },
  {
    name: 'earnings-statement',
    address: '/earnings',
    as: 'ada',
    steps: openSheet('statement.title'),
  },
  { name: 'earnings-none', address: '/earnings', as: 'ben' },
  { name: 'receipt-dispute-held', as: 'ada', ...withTask('/earnings', 'disputeHeld') },
  { name: 'receipt', as: 'ada', ...withTask('/earnings', 'paid') },
  { name: 'payout', address: '/payout', as: 'ada' },
  { name: 'payout-none', address: '/payout', as: 'ben' },

  { name: 'inbox', address: '/inbox', as: 'ada' },
  {
    name: 'inbox-dispute-held',
    address: '/inbox',
    as: 'ada',
    async steps({ page }) {
      const notice = page.locator('main').getByText('Quickcheck Surveys').first()
      await notice.waitFor()
      await notice.scrollIntoViewIfNeeded()
    },
  },
  { name: 'inbox-empty', address: '/inbox', as: 'ben' },
  { name: 'dispute', as: 'ada', ...withTask('/inbox', 'disputed') },
  { name: 'dispute-held', as: 'ada', ...withTask('/inbox', 'disputeHeld') },
  { name: 'dispute-appealed', as: 'ada', ...withTask('/inbox', 'appealed') },
  { name: 'dispute-won', as: 'ada', ...withTask('/inbox', 'conceded') },
  { name: 'dispute-script', as: 'mallory', ...withTask('/inbox', 'scriptDisputed') },

  { name: 'me', address: '/me', as: 'ada' },
  { name: 'profile', address: '/me/profile', as: 'ada' },
  { name: 'trust', address: '/me/trust', as: 'ada' },
  {
    name: 'trust-can-appeal',
    address: '/me/trust',
    as: 'ada',
    steps: (visit) => scrollToPending(visit, 'trust.pendingAppeal'),
  },
  {
    name: 'trust-under-appeal',
    address: '/me/trust',
    as: 'ada',
    steps: (visit) => scrollToPending(visit, 'trust.pendingSee'),
  },
  { name: 'notify', address: '/me/notify', as: 'ada' },
  { name: 'account', address: '/me/account', as: 'ada' },
  { name: 'account-email', address: '/me/email', as: 'ada' },
  {
    name: 'email-confirm',
    address: '/email-confirm',
    as: 'nobody',
    at: () => '/email-confirm?token=x',
  },
  { name: 'email-undo', address: '/email-undo', as: 'nobody', at: () => '/email-undo?token=x' },
  { name: 'account-password', address: '/me/password', as: 'ada' },
  { name: 'account-devices', address: '/me/devices', as: 'ada' },
  { name: 'account-data', address: '/me/data', as: 'ada' },
  { name: 'account-close', address: '/me/close', as: 'ada' },
  { name: 'help', address: '/me/help', as: 'ada' },
  {
    name: 'help-answer',
    address: '/me/help',
    as: 'ada',
    steps: (visit) => press(visit, 'help.paidWhen'),
  },
  { name: 'questions', address: '/me/questions', as: 'ada' },
  { name: 'questions-none', address: '/me/questions', as: 'ben' },
  {
    name: 'ask',
    address: '/me/questions/new',
    as: 'ada',
    at: ({ tasks }) => `/me/questions/new?task=${tasks.disputeHeld}`,
  },
  {
    name: 'ask-safety',
    address: '/me/questions/new',
    as: 'ada',
    at: () => '/me/questions/new?subject=safety',
  },
  {
    name: 'ask-photo',
    address: '/me/questions/new',
    as: 'ada',
    at: () => '/me/questions/new?subject=account',
    steps: async (visit) => {
      const [chooser] = await Promise.all([
        visit.page.waitForEvent('filechooser'),
        press(visit, 'photos.choose'),
      ])
      const photo = { mimeType: 'image/jpeg', buffer: await drawDoor({ width: 640 }) }
      await chooser.setFiles([
        { name: 'door.jpg', ...photo },
        { name: 'again.jpg', ...photo },
      ])
      await visit.page.locator('main li img').nth(1).waitFor()
    },
    leave: (visit) =>
      visit.page
        .locator('main li button')
        .first()
        .tap()
        .then(() => visit.page.locator('main li button').first().tap()),
  },
  {
    name: 'question-open',
    address: '/me/questions/:id',
    as: 'ada',
    at: ({ questions }) => `/me/questions/${questions.open}`,
  },
  {
    name: 'question-answered',
    address: '/me/questions/:id',
    as: 'ada',
    at: ({ questions }) => `/me/questions/${questions.answered}`,
  },
  {
    name: 'question-closed',
    address: '/me/questions/:id',
    as: 'ada',
    at: ({ questions }) => `/me/questions/${questions.closed}`,
  },
  { name: 'board', address: '/board', as: 'ada' },
  {
    name: 'public-script',
    address: '/u/:id',
    as: 'mallory',
    at: ({ mallory }) => `/u/${mallory.id}`,
  },
  { name: 'not-found', address: '*', as: 'ada', at: () => '/nowhere' },
]

const WHOLE_ENOUGH = 25
const POSITION = { latitude: WEDEL.lat, longitude: WEDEL.lng, accuracy: 12 }

/** One phone per person, because a phone stores one person's data. */
export function openVisits(
  scene: Scene,
  { language = 'en', ...options }: { language?: string } & Parameters<typeof openPhone>[0] = {},
) {
  const say = wordsIn(language)
  const loading = say.plain('shell.loading')
  const phones = new Map<Person, Promise<Opened>>()
  interface Opened {
    phone: Phone
    /** API requests that are still pending. */
    asked: Set<unknown>
  }

  async function open(person: Person): Promise<Opened> {
    const phone = await openPhone({
      language,
      permissions: ['camera', 'microphone', 'geolocation', 'notifications'],
      position: POSITION,
      ...options,
    })
    const asked = new Set<unknown>()
    phone.page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) asked.add(request)
    })
    phone.page.on('requestfinished', (request) => asked.delete(request))
    phone.page.on('requestfailed', (request) => asked.delete(request))
    if (person !== 'nobody') await phone.as(scene[person], scene.origin)
    return { phone, asked }
  }

  return {
    /** Navigates there and waits until everything is rendered. */
    async to(screen: Screen): Promise<Visit> {
      const opened = phones.get(screen.as) ?? open(screen.as)
      phones.set(screen.as, opened)
      const { phone, asked } = await opened
      asked.clear()
      const settled = async () => {
        let [whole, quiet] = [0, 0]
        await until(
          async () => {
            whole = (await inPage(phone.page, isWhole, loading)) ? whole + 1 : 0
            quiet = whole > 0 && asked.size === 0 ? quiet + 1 : 0
            // Without a network the app keeps retrying.
            return quiet > 1 || whole > WHOLE_ENOUGH
          },
          `${screen.name}: an end to its loading`,
          40,
        )
      }
      const visit = { phone, page: phone.page, say }
      const address = (await screen.at?.(scene)) ?? screen.address
      await phone.open(scene.origin + address)
      await settled()
      if (screen.steps) {
        await screen.steps(visit)
        await settled()
      }
      return visit
    },
    async close(): Promise<void> {
      for (const opened of phones.values()) await (await opened).phone.close()
    },
  }
}

export function screenNamed(name: string): Screen {
  const found = SCREENS.find((screen) => screen.name === name)
  assert(found, `there is no screen ${name}`)
  return found
}
