/**
 * `npm run screenshots`: captures every screen on a phone in light mode, dark mode and right to left, and on a desktop,
 * into artifacts/screens, with an index page. The console is captured on a desktop in light and dark mode, and on a
 * phone. SCREENS=task,find captures only screens whose name starts with one of these.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setConsoleScene } from './console-scene.ts'
import { CONSOLE_SCREENS, openDesk } from './console-screens.ts'
import { ARTIFACTS } from './phone.ts'
import { setScene } from './scene.ts'
import { openVisits, SCREENS } from './screens.ts'
import { isSpoken } from './words.ts'

const FOLDER = path.join(ARTIFACTS, 'screens')
const RTL = 'ar'
const KINDS = ['light', 'dark', ...(isSpoken(RTL) ? ['rtl'] : []), 'desktop']
const PHONE = { width: 390, height: 844 }
const DESKTOP = { isDesktop: true, screen: { width: 1280, height: 800 } }

const wanted = (process.env.SCREENS ?? '').split(',')
const screens = SCREENS.filter(({ name }) => wanted.some((prefix) => name.startsWith(prefix)))

const consoleScreens = CONSOLE_SCREENS.filter(({ name }) =>
  wanted.some((prefix) => name.startsWith(prefix)),
)

mkdirSync(FOLDER, { recursive: true })
const visits: Record<string, ReturnType<typeof openVisits> | undefined> =
  screens.length > 0 ? await openAll() : {}

async function openAll() {
  const scene = await setScene()
  return {
    phone: openVisits(scene, { hasMap: true }),
    rtl: isSpoken(RTL) ? openVisits(scene, { language: RTL, hasMap: true }) : undefined,
    desktop: openVisits(scene, { ...DESKTOP, hasMap: true }),
  }
}

for (const [at, screen] of screens.entries())
  test(`${at + 1} of ${screens.length}: ${screen.name}`, async () => {
    for (const [device, visit] of Object.entries(visits)) {
      if (visit === undefined) continue
      const opened = await visit.to(screen)
      const schemes = device === 'phone' ? (['light', 'dark'] as const) : (['light'] as const)
      for (const colorScheme of schemes) {
        await opened.page.emulateMedia({ colorScheme })
        const kind = device === 'phone' ? colorScheme : device
        await opened.page.screenshot({
          path: path.join(FOLDER, `${screen.name}-${kind}.png`),
          animations: 'disabled',
        })
      }
      await opened.page.emulateMedia({ colorScheme: 'light' })
      await screen.leave?.(opened)
    }
  })

const desk = consoleScreens.length > 0 ? openDesk(await setConsoleScene()) : undefined

for (const [at, screen] of consoleScreens.entries())
  test(`${at + 1} of ${consoleScreens.length}: ${screen.name}`, async () => {
    const { page } = await desk!.to(screen)
    const draw = (kind: string) =>
      page.screenshot({
        path: path.join(FOLDER, `${screen.name}-${kind}.png`),
        animations: 'disabled',
      })
    await draw('desktop')
    await page.emulateMedia({ colorScheme: 'dark' })
    await draw('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(PHONE)
    await draw('light')
    await page.setViewportSize(DESKTOP.screen)
  })

writeFileSync(path.join(FOLDER, 'index.html'), contactSheet())

function contactSheet(): string {
  const rows = [...screens, ...consoleScreens].map(({ name }) => {
    const pictures = KINDS.map(
      (kind) =>
        `<td><a href="${name}-${kind}.png"><img src="${name}-${kind}.png" alt="" loading="lazy"></a></td>`,
    )
    return `<tr><th>${name}</th>${pictures.join('')}</tr>`
  })
  const heads = KINDS.map((kind) => `<th>${kind}</th>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every screen</title>
<style>body { font: 14px system-ui } th { text-align: start; vertical-align: top } img { height: 420px; border: 1px solid #999 }</style>
<table><thead><tr><th>${heads.length} kinds</th>${heads.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></html>`
}
