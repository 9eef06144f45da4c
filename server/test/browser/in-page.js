/** What runs in the page itself, where there is a document and none of our types. */

const nameOf = (element) =>
  (
    element.getAttribute('aria-label') ??
    (element.labels?.[0]?.innerText || element.innerText || '')
  ).trim()

/** How the page is built, and what in it is hard to read or to hit. */
export function survey(targetMin) {
  const controls = [
    ...document.querySelectorAll('button, input:not([type=hidden]), select, summary, a'),
  ].filter((element) => element.checkVisibility() && !element.matches('.skip'))
  // A radio button is hit by the label around it, a link within a sentence by its line.
  const heightOf = (element) => (element.closest('label') ?? element).getBoundingClientRect().height
  const isInText = (element) =>
    element.matches('a') && getComputedStyle(element).display === 'inline'
  return {
    width: document.documentElement.scrollWidth,
    language: document.documentElement.lang,
    headings: document.querySelectorAll('h1').length,
    mains: document.querySelectorAll('main').length,
    nameless: controls.filter((element) => nameOf(element) === '').map((one) => one.outerHTML),
    small: controls
      .filter((element) => !isInText(element) && heightOf(element) < targetMin - 0.5)
      .map((element) => `${nameOf(element)}: ${heightOf(element)} pixels high`),
  }
}

/** What has the focus, and whether one sees it. */
export function focused() {
  const element = document.activeElement
  if (element === null || element === document.body) return undefined
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return {
    name: nameOf(element),
    isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
  }
}

/** Whether the focus is in the first element of this kind. */
export function hasFocus(selector) {
  return document.querySelector(selector)?.contains(document.activeElement) ?? false
}
