/** Turns alternatives into tabs, and remembers the chosen language for all pages. */
import { make } from './page.ts'

const STORAGE_KEY = 'legwork.docs.tab'

export function addTabs(): void {
  for (const [at, frame] of [...document.querySelectorAll<HTMLElement>('.tabs')].entries())
    liven(frame, at)
  show(localStorage.getItem(STORAGE_KEY))
}

function liven(frame: HTMLElement, at: number): void {
  const panels = [...frame.querySelectorAll<HTMLElement>('.panel')]
  const list = make('div', { class: 'tablist', role: 'tablist', 'aria-label': 'Language' })
  for (const [i, panel] of panels.entries()) {
    const id = `tab-${at}-${i}`
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    const tab = make(
      'button',
      { type: 'button', role: 'tab', id, 'aria-controls': panel.id },
      panel.dataset.name!,
    )
    tab.addEventListener('click', () => choose(tab))
    list.append(tab)
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const tabs = tabsOf(frame)
    const now = tabs.indexOf(document.activeElement as HTMLElement)
    const next = tabs[(now + step + tabs.length) % tabs.length]!
    choose(next)
    next.focus()
  })
  frame.prepend(list)
  frame.classList.add('live')
}

const tabsOf = (frame: HTMLElement) => [...frame.querySelectorAll<HTMLElement>('[role="tab"]')]

function choose(tab: HTMLElement): void {
  // Keep the tab under the pointer, even if blocks above it change their height.
  const before = tab.getBoundingClientRect().top
  localStorage.setItem(STORAGE_KEY, tab.textContent!)
  show(tab.textContent)
  window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

function show(wanted: string | null): void {
  for (const frame of document.querySelectorAll<HTMLElement>('.tabs.live')) {
    const tabs = tabsOf(frame)
    const chosen = tabs.find(({ textContent }) => textContent === wanted) ?? tabs[0]!
    for (const tab of tabs) {
      const isChosen = tab === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')!)!.hidden = !isChosen
    }
  }
}
