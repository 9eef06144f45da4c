/**
 * Tells the styles which way a new screen lies: deeper (a task from the list), back, or beside (another tab). base.css
 * moves the screen in from there. The first screen doesn't move.
 */
const SHOWN_MS = 400

export function followScreens(): void {
  let before = location.pathname
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    const { pathname } = location
    if (pathname === before) return
    const { dataset } = document.documentElement
    dataset.way = wayFrom(before, pathname)
    before = pathname
    clearTimeout(timer)
    // Content that replaces a placeholder later on must not move again.
    timer = setTimeout(() => delete dataset.way, SHOWN_MS)
  }
  // The router dispatches the events of the history's methods.
  for (const event of ['pushState', 'replaceState', 'popstate']) addEventListener(event, follow)
}

export function wayFrom(before: string, after: string): 'deeper' | 'back' | 'beside' {
  const step = depthOf(after) - depthOf(before)
  if (step === 0) return 'beside'
  return step > 0 ? 'deeper' : 'back'
}

/** Tabs are one level: `/`, `/earnings`. */
const depthOf = (pathname: string) => Math.max(0, pathname.split('/').filter(Boolean).length - 1)
