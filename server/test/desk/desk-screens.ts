/**
 * Every screen of the operators' desk, and each of its states that looks different. screens.test.ts checks the general
 * requirements on each, and keeps pictures of them.
 */
import type { Role } from '../../src/kit/rights.ts'
import { isWhole } from '../browser/in-page.js'
import { inPage, openPhone, type Phone, until } from '../browser/phone.ts'
import type { DeskScene } from './desk-scene.ts'
import { giveCookie } from './sign-in.ts'
import { inviteAs } from './team.ts'

export interface DeskScreen {
  name: string
  /** The route as written in operators/app.tsx. */
  address: string
  as: Role | 'nobody'
  /** Values for the route parameters, and anything after the path. */
  at?(scene: DeskScene): string | Promise<string>
  /** Actions to take on the screen. */
  steps?(page: Phone['page'], scene: DeskScene): Promise<unknown>
}

type Page = Phone['page']

const pressed = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

const caseOf = (id: (scene: DeskScene) => string, queue?: string) => ({
  address: '/case/:id',
  at: (scene: DeskScene) => `/case/${id(scene)}${queue === undefined ? '' : `?queue=${queue}`}`,
})

const operator = (id: (scene: DeskScene) => string) => ({
  address: '/team/:id',
  at: (scene: DeskScene) => `/team/${id(scene)}`,
})

const appeal = caseOf(({ appeals }) => appeals.small, 'appeals')
const asked = caseOf(({ question }) => question, 'questions')
/** Waits for a second operator. */
const proposed = caseOf(({ appeals }) => appeals.large, 'appeals')

export const DESK_SCREENS: DeskScreen[] = [
  { name: 'desk-signed-out', address: '/', as: 'nobody' },
  {
    name: 'desk-sign-in',
    address: '/sign-in',
    as: 'nobody',
    at: () => '/sign-in?error=oidc_refused',
  },
  {
    name: 'desk-join',
    address: '/join',
    as: 'nobody',
    at: ({ market }) => inviteAs(market, 'trust'),
  },
  { name: 'desk-join-ended', address: '/join', as: 'nobody', at: () => '/join?again#token=used' },
  { name: 'desk-queues', address: '/', as: 'admin' },
  { name: 'desk-queues-viewer', address: '/', as: 'viewer' },
  {
    name: 'desk-queue',
    address: '/queues/:name',
    as: 'trust',
    at: () => '/queues/held_disputes',
  },
  {
    name: 'desk-queue-mine',
    address: '/queues/:name',
    as: 'trust',
    at: () => '/queues/held_disputes',
    steps: (page) => page.getByRole('button', { name: 'Assigned to me' }).click(),
  },
  { name: 'desk-case', as: 'trust', ...appeal },
  { name: 'desk-case-viewer', as: 'viewer', ...appeal },
  {
    name: 'desk-case-look',
    as: 'trust',
    ...appeal,
    steps: pressed('Show photo 1'),
  },
  { name: 'desk-case-worker', as: 'support', ...caseOf(({ worker }) => worker) },
  { name: 'desk-case-agent', as: 'finance', ...caseOf(({ agent }) => agent) },
  { name: 'desk-case-question', as: 'support', ...asked },
  {
    name: 'desk-case-question-photos',
    as: 'support',
    ...asked,
    steps: async (page) => {
      await pressed('Show photo 1')(page)
      await page.getByRole('button', { name: 'Needed to decide this case' }).click()
      await page.getByRole('button', { name: 'Enlarge photo 1' }).waitFor()
      // The other one stays blurred until it is pressed.
      await page.getByRole('button', { name: 'Unblur photo 2' }).waitFor()
    },
  },
  {
    name: 'desk-case-screening',
    as: 'trust',
    ...caseOf(({ doubtful }) => doubtful, 'screenings'),
  },
  { name: 'desk-case-operator', as: 'viewer', ...caseOf(({ people }) => people.trust.id) },
  { name: 'desk-case-switch', as: 'admin', ...caseOf(() => 'switch_payouts') },
  {
    name: 'desk-case-missing',
    address: '/case/:id',
    as: 'viewer',
    at: () => '/case/task_01m7h4xk1pfkx909107ks5ks0a',
  },
  {
    name: 'desk-keys',
    as: 'trust',
    ...appeal,
    steps: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'desk-decisions', address: '/decisions', as: 'trust' },
  {
    name: 'desk-decision',
    address: '/decisions/:id',
    as: 'trust',
    at: ({ decision }) => `/decisions/${decision}`,
  },
  {
    name: 'desk-decision-second',
    address: '/decisions/:id',
    as: 'admin',
    at: ({ decision }) => `/decisions/${decision}`,
    steps: pressed(/^Decline/),
  },
  { name: 'desk-case-proposed', as: 'admin', ...proposed },
  { name: 'desk-boards', address: '/boards', as: 'viewer' },
  {
    name: 'desk-board-money',
    address: '/boards/:name',
    as: 'finance',
    at: () => '/boards/money',
    steps: (page) => page.getByRole('button', { name: 'Definition of Own funds' }).click(),
  },
  {
    name: 'desk-board-marketplace',
    address: '/boards/:name',
    as: 'finance',
    at: () => '/boards/marketplace',
    steps: (page) => page.getByText('7 days', { exact: true }).click(),
  },
  {
    name: 'desk-board-health',
    address: '/boards/:name',
    as: 'finance',
    at: () => '/boards/health',
  },
  {
    name: 'desk-board-rows',
    address: '/boards/:name/:figure',
    as: 'finance',
    at: () => '/boards/marketplace/tasks_created?window=week',
  },
  { name: 'desk-switches', address: '/switches', as: 'admin' },
  { name: 'desk-switches-turn', address: '/switches', as: 'admin', steps: pressed(/^Stop/) },
  { name: 'desk-limits', address: '/limits', as: 'admin' },
  { name: 'desk-limits-change', address: '/limits', as: 'admin', steps: pressed(/^Change/) },
  { name: 'desk-team', address: '/team', as: 'admin' },
  { name: 'desk-team-invite', address: '/team', as: 'admin', steps: pressed(/^Invite/) },
  { name: 'desk-operator', as: 'admin', ...operator(({ people }) => people.trust.id) },
  {
    name: 'desk-operator-role',
    as: 'admin',
    ...operator(({ people }) => people.trust.id),
    steps: pressed(/^Change role/),
  },
  {
    name: 'desk-operator-disable',
    as: 'admin',
    ...operator(({ people }) => people.trust.id),
    steps: pressed(/^Disable/),
  },
  { name: 'desk-operator-disabled', as: 'admin', ...operator(({ team }) => team.left) },
  { name: 'desk-operator-own', as: 'admin', ...operator(({ people }) => people.admin.id) },
  { name: 'desk-operator-missing', as: 'admin', ...operator(() => 'opr_0') },
  { name: 'desk-audit', address: '/audit', as: 'admin' },
  {
    name: 'desk-audit-checked',
    address: '/audit',
    as: 'admin',
    at: ({ people }) => `/audit?operator=${people.admin.id}&action=operator`,
    steps: async (page) => {
      await pressed(/^Check the log/)(page)
      await page.getByRole('button', { name: 'Check all rows' }).click()
      await page.getByText('none changed or missing').waitFor()
    },
  },
  { name: 'desk-audit-empty', address: '/audit', as: 'admin', at: () => '/audit?subject=nothing' },
  { name: 'desk-account', address: '/account', as: 'admin' },
  { name: 'desk-account-add', address: '/account', as: 'admin', steps: pressed(/^Add a passkey/) },
  { name: 'desk-account-company', address: '/account', as: 'viewer' },
  { name: 'desk-search-empty', address: '/search', as: 'viewer' },
  { name: 'desk-not-found', address: '*', as: 'viewer', at: () => '/nowhere' },
]

export const DESKTOP = { isDesktop: true, hasTouch: false, screen: { width: 1440, height: 900 } }
const WHOLE_ENOUGH = 25

export type Desk = ReturnType<typeof openDesk>

/** Opens one browser window per person. */
export function openDesk(scene: DeskScene, shape: Parameters<typeof openPhone>[0] = DESKTOP) {
  interface Opened {
    phone: Phone
    /** API requests that are still pending. */
    asked: Set<unknown>
  }
  const windows = new Map<DeskScreen['as'], Promise<Opened>>()

  async function open(person: DeskScreen['as']): Promise<Opened> {
    const phone = await openPhone(shape)
    const asked = new Set<unknown>()
    phone.page.on('request', (request) => {
      if (request.url().includes('/desk/api/')) asked.add(request)
    })
    phone.page.on('requestfinished', (request) => asked.delete(request))
    phone.page.on('requestfailed', (request) => asked.delete(request))
    if (person !== 'nobody')
      await giveCookie(phone.context, scene.people[person].cookie, scene.origin)
    return { phone, asked }
  }

  return {
    /** Navigates there and waits until everything is rendered. */
    async to(screen: DeskScreen): Promise<Phone> {
      const opened = windows.get(screen.as) ?? open(screen.as)
      windows.set(screen.as, opened)
      const { phone, asked } = await opened
      asked.clear()
      const settled = async () => {
        let [whole, quiet] = [0, 0]
        await until(
          async () => {
            whole = (await inPage(phone.page, isWhole, 'Loading')) ? whole + 1 : 0
            quiet = whole > 0 && asked.size === 0 ? quiet + 1 : 0
            return quiet > 1 || whole > WHOLE_ENOUGH
          },
          `${screen.name}: an end to its loading`,
          40,
        )
      }
      const address = (await screen.at?.(scene)) ?? screen.address
      await phone.open(`${scene.origin}/desk${address}`)
      await settled()
      if (screen.steps) {
        await screen.steps(phone.page, scene)
        await settled()
      }
      return phone
    },
    async close(): Promise<void> {
      for (const opened of windows.values()) await (await opened).phone.close()
    },
  }
}
