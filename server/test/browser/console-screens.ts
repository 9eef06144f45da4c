/**
 * Every screen of the console, and each of its states that looks different. console.test.ts checks the general
 * requirements on each; `npm run screenshots` captures them.
 */
import type { ConsoleScene } from './console-scene.ts'
import { openOAuthClient } from '../oauth.ts'
import { drawDoor } from './door.ts'
import { isWhole } from './in-page.js'
import { inPage, openPhone, type Phone, until } from './phone.ts'

type Person = 'atlas' | 'newcomer' | 'hasty' | 'owner' | 'finance' | 'nobody'

export interface ConsoleScreen {
  name: string
  /** The route as written in console/app.tsx. */
  address: string
  as: Person
  /** Values for the route parameters, and anything after the path. */
  at?(scene: ConsoleScene): string | Promise<string>
  /** Actions to take on the screen. */
  steps?(page: Phone['page'], scene: ConsoleScene): Promise<unknown>
}

const withTask = (name: keyof ConsoleScene['tasks']) => ({
  address: '/tasks/:id',
  at: (scene: ConsoleScene) => `/tasks/${scene.tasks[name]}`,
})

const pressed = (name: string | RegExp) => async (page: Phone['page']) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

export const CONSOLE_SCREENS: ConsoleScreen[] = [
  { name: 'console-log-in', address: '/', as: 'nobody' },
  {
    name: 'console-log-in-mailed',
    address: '/',
    as: 'nobody',
    steps: async (page) => {
      await page.getByLabel('Email address').fill('nobody@example.com')
      await page.getByRole('button', { name: 'Email me a link' }).click()
      await page.getByText('Check your email').waitFor()
    },
  },
  {
    name: 'console-enter',
    address: '/enter',
    as: 'nobody',
    at: () => `/enter?link#token=${'x'.repeat(43)}`,
  },
  {
    name: 'console-enter-expired',
    address: '/enter',
    as: 'nobody',
    at: () => `/enter?expired#token=${'x'.repeat(43)}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('This link has expired').waitFor()
    },
  },
  {
    name: 'console-enter-choice',
    address: '/enter',
    as: 'nobody',
    at: async ({ team }) => `/enter?choice#token=${await team.link()}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Choose the agent').waitFor()
    },
  },
  { name: 'console-recover', address: '/recover', as: 'nobody' },
  {
    name: 'console-recover-sent',
    address: '/recover',
    as: 'nobody',
    steps: async (page) => {
      await page.getByLabel('Email address').fill('nobody@example.com')
      await page.getByRole('button', { name: 'Email me a link' }).click()
      await page.getByText('Check your email').waitFor()
    },
  },
  {
    name: 'console-recover-link',
    address: '/recover',
    as: 'nobody',
    at: () => `/recover?link#token=${'x'.repeat(43)}`,
  },
  {
    name: 'console-recover-expired',
    address: '/recover',
    as: 'nobody',
    at: () => `/recover?expired#token=${'x'.repeat(43)}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Replace my keys' }).click()
      await page.getByText('This link has expired').waitFor()
    },
  },
  {
    name: 'console-recover-keys',
    address: '/recover',
    as: 'nobody',
    at: async ({ recoveryLink }) => `/recover?keys#token=${await recoveryLink()}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Replace my keys' }).click()
      await page.getByRole('heading', { name: 'Your new API keys' }).waitFor()
    },
  },
  {
    name: 'console-verify',
    address: '/verify',
    as: 'nobody',
    at: () => `/verify?link#token=${'x'.repeat(43)}`,
  },
  { name: 'console-verify-expired', address: '/verify', as: 'nobody' },
  { name: 'console-overview', address: '/', as: 'atlas' },
  { name: 'console-overview-empty', address: '/', as: 'newcomer' },
  { name: 'console-waiting', address: '/waiting', as: 'atlas' },
  { name: 'console-waiting-empty', address: '/waiting', as: 'newcomer' },
  { name: 'console-tasks', address: '/tasks', as: 'atlas' },
  { name: 'console-tasks-empty', address: '/tasks', as: 'newcomer' },
  { name: 'console-task', as: 'atlas', ...withTask('waiting') },
  {
    name: 'console-task-dispute',
    as: 'atlas',
    ...withTask('waiting'),
    steps: pressed('Dispute…'),
  },
  { name: 'console-task-photo', as: 'atlas', ...withTask('waiting'), steps: pressed(/Photo 1/) },
  { name: 'console-task-conflict', as: 'atlas', ...withTask('conflict') },
  { name: 'console-task-appealed', as: 'atlas', ...withTask('appealed') },
  {
    name: 'console-task-dispute-held',
    as: 'hasty',
    ...withTask('disputeHeld'),
    steps: (page) =>
      page.getByRole('button', { name: 'Withdraw dispute…' }).scrollIntoViewIfNeeded(),
  },
  { name: 'console-task-held', as: 'atlas', ...withTask('held') },
  { name: 'console-task-cancel', as: 'atlas', ...withTask('held'), steps: pressed(/^Cancel/) },
  { name: 'console-task-script', as: 'atlas', ...withTask('script') },
  { name: 'console-new-task', address: '/tasks/new', as: 'newcomer' },
  { name: 'console-wallet', address: '/wallet', as: 'atlas' },
  { name: 'console-wallet-empty', address: '/wallet', as: 'newcomer' },
  { name: 'console-webhooks', address: '/webhooks', as: 'atlas' },
  { name: 'console-webhooks-empty', address: '/webhooks', as: 'newcomer' },
  { name: 'console-events', address: '/events', as: 'atlas' },
  { name: 'console-events-empty', address: '/events', as: 'newcomer' },
  {
    name: 'console-connect',
    address: '/connect',
    as: 'atlas',
    at: async ({ market }) => {
      const { request } = await openOAuthClient(market).ask()
      return `/connect?${new URLSearchParams(request)}`
    },
  },
  { name: 'console-connect-incomplete', address: '/connect', as: 'atlas' },
  { name: 'console-keys', address: '/keys', as: 'atlas' },
  { name: 'console-keys-new', address: '/keys', as: 'atlas', steps: pressed('New key') },
  { name: 'console-keys-revoke', address: '/keys', as: 'atlas', steps: pressed(/^Revoke/) },
  { name: 'console-requests', address: '/requests', as: 'atlas' },
  {
    name: 'console-request',
    address: '/requests/:id',
    as: 'atlas',
    at: async ({ atlas }) => {
      const { requests } = (await atlas.get('/requests')).body
      return `/requests/${requests[0].id}`
    },
  },
  {
    name: 'console-refusal',
    address: '/requests/:id',
    as: 'atlas',
    at: async ({ atlas }) => {
      const { requests } = (await atlas.get('/requests')).body as {
        requests: { id: string; code: string }[]
      }
      return `/requests/${requests.find(({ code }) => code === 'task_refused')!.id}`
    },
  },
  { name: 'console-requests-empty', address: '/requests', as: 'newcomer' },
  { name: 'console-questions', address: '/questions', as: 'atlas' },
  { name: 'console-questions-empty', address: '/questions', as: 'hasty' },
  { name: 'console-questions-test', address: '/questions', as: 'newcomer' },
  {
    name: 'console-ask',
    address: '/questions/new',
    as: 'atlas',
    at: ({ tasks }) => `/questions/new?subject=dispute&task=${tasks.appealed}`,
    steps: async (page) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Add photos' }).click(),
      ])
      await chooser.setFiles({
        name: 'door.jpg',
        mimeType: 'image/jpeg',
        buffer: await drawDoor({ width: 640 }),
      })
      await page.getByRole('img', { name: 'Photo 1' }).waitFor()
    },
  },
  {
    name: 'console-ask-safety',
    address: '/questions/new',
    as: 'atlas',
    at: () => '/questions/new?subject=safety',
  },
  ...(['open', 'answered', 'closed'] as const).map((state) => ({
    name: `console-question-${state}`,
    address: '/questions/:id',
    as: 'atlas' as const,
    at: ({ questions }: ConsoleScene) => `/questions/${questions[state]}`,
  })),
  { name: 'console-test', address: '/test', as: 'newcomer' },
  { name: 'console-go-live', address: '/go-live', as: 'newcomer' },
  { name: 'console-people', address: '/people', as: 'owner' },
  { name: 'console-people-invite', address: '/people', as: 'owner', steps: pressed('Invite') },
  { name: 'console-people-remove', address: '/people', as: 'owner', steps: pressed(/^Remove/) },
  { name: 'console-people-leave', address: '/people', as: 'finance', steps: pressed('Leave…') },
  { name: 'console-people-key', address: '/people', as: 'atlas' },
  { name: 'console-activity', address: '/activity', as: 'owner' },
  { name: 'console-activity-key', address: '/activity', as: 'atlas' },
  { name: 'console-overview-finance', address: '/', as: 'finance' },
  { name: 'console-settings', address: '/settings', as: 'atlas' },
  { name: 'console-not-found', address: '*', as: 'atlas', at: () => '/nowhere' },
]

/** A desktop window. With a touch screen, a dialog would wait for the phone keyboard. */
export const DESK = { isDesktop: true, hasTouch: false, screen: { width: 1280, height: 800 } }
const WHOLE_ENOUGH = 25

export type Desk = ReturnType<typeof openDesk>

/** Opens one browser window per person. */
export function openDesk(scene: ConsoleScene) {
  interface Opened {
    phone: Phone
    /** API requests that are still pending. */
    asked: Set<unknown>
  }
  const windows = new Map<Person, Promise<Opened>>()

  async function open(person: Person): Promise<Opened> {
    const phone = await openPhone(DESK)
    const asked = new Set<unknown>()
    phone.page.on('request', (request) => {
      if (request.url().includes('/api/v1/')) asked.add(request)
    })
    phone.page.on('requestfinished', (request) => asked.delete(request))
    phone.page.on('requestfailed', (request) => asked.delete(request))
    if (person === 'atlas') await scene.logIn(phone, scene.atlas.api_key)
    if (person === 'hasty') await scene.logIn(phone, scene.hasty.api_key)
    if (person === 'owner' || person === 'finance')
      await scene.logInPerson(phone, scene.team[person].jar.cookie)
    if (person === 'newcomer') await scene.logIn(phone, scene.newcomer.key)
    return { phone, asked }
  }

  return {
    /** Navigates there and waits until everything is rendered. */
    async to(screen: ConsoleScreen): Promise<Phone> {
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
      await phone.open(`${scene.origin}/console${address}`)
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
