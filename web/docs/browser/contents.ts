/** Highlights the current chapter in the navigation. */
export function followContents(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [
      link,
      document.getElementById(link.hash.slice(1)),
    ]),
  )
  if (links.size === 0) return
  let isDue = false
  const mark = () => {
    isDue = false
    const line = window.innerHeight / 3
    const passed = [...new Set(links.values())].filter(
      (heading) => heading !== null && heading.getBoundingClientRect().top < line,
    )
    const current = passed.at(-1)
    for (const [link, heading] of links) {
      if (heading === current && current) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
  }
  addEventListener(
    'scroll',
    () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(mark)
    },
    { passive: true },
  )
  mark()
}
