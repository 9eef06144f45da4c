/** Functions that run in the page itself, which has a document but none of our types. */

const nameOf = (element) =>
  (
    element.getAttribute('aria-label') ??
    (labelsOf(element) || element.labels?.[0]?.innerText || element.innerText || '')
  ).trim()

/** The names of the elements that label it. */
const labelsOf = (element) =>
  (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.querySelector(`[id="${id}"]`))
    .map((label) => label?.getAttribute('aria-label') ?? label?.innerText ?? '')
    .join(' ')

/** A visually hidden control needs no touch target: a skip link, or the hidden close button of a sheet. */
const isForScreenReaders = (element) =>
  element.matches('.skip') || element.parentElement.getBoundingClientRect().width <= 1

/** Resolves when every animation that has an end has reached it. Loading indicators have none. */
export async function motionEnded() {
  const ending = document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}

/** The page's structure, and the controls without a name or with a touch target that is too small. */
export function survey(targetMin) {
  const controls = [
    ...document.querySelectorAll('button, input:not([type=hidden]), select, summary, a'),
  ].filter((element) => element.checkVisibility() && !isForScreenReaders(element))
  // The label around a radio button is its touch target; an inline link has the height of its line.
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

/** The page width at this text size, and the elements that exceed the limit. */
export function widthAt(percent, widest) {
  const root = document.documentElement
  root.style.fontSize = `${percent}%`
  const width = root.scrollWidth
  const culprits = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    range.selectNodeContents(node)
    const isWide = range.getBoundingClientRect().right > widest + 1
    if (isWide && node.parentElement.checkVisibility())
      culprits.push(`${node.parentElement.tagName} “${node.data.trim().slice(0, 40)}”`)
  }
  for (const element of document.querySelectorAll('select, input, button, img, video, canvas'))
    if (element.getBoundingClientRect().right > widest + 1 && element.checkVisibility())
      culprits.push(`${element.tagName} “${nameOf(element).slice(0, 40)}”`)
  root.style.fontSize = ''
  return { width, culprits: width > widest ? culprits.slice(0, 5) : [] }
}

/** The focused element, and whether it is visible: it has an outline, and no fixed element covers it. */
export function focused() {
  const element = document.activeElement
  if (element === null || element === document.body) return undefined
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return {
    name: nameOf(element),
    isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    isCovered: isCovered(element),
  }
}

function isCovered(element) {
  // The label around a switch, a radio button or a file input is what is drawn.
  const shown = element.closest('label') ?? element
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const isHere = (x, y) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (shown.contains(hit) || hit.contains(shown))
  }
  const x = (left + right) / 2
  const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  // Only the middle of a tall element needs to be visible.
  const points = bottom - top > innerHeight / 2 ? [middle] : [top + 3, middle, bottom - 3]
  return !points.some((y) => isHere(x, y))
}

/** Whether the focus is in the first element of this kind. */
export function hasFocus(selector) {
  return document.querySelector(selector)?.contains(document.activeElement) ?? false
}

/** Whether the screen is complete: it has its heading, and nothing is still loading. */
export function isWhole(loading) {
  const isLoading = [...document.querySelectorAll('[role=status]')].some(
    (element) => element.getAttribute('aria-label') === loading,
  )
  const images = [...document.images].filter((image) => image.loading !== 'lazy')
  return (
    document.querySelector('h1') !== null && !isLoading && images.every(({ complete }) => complete)
  )
}

/**
 * Finds our text that does not come from the messages, which the pseudo-language wraps in ⟦…⟧. User content is in
 * elements with dir="auto" or in bdi. Numbers, money and dates are not words, and the names of options such as
 * countries and languages come from the browser.
 */
export function untranslated(names) {
  const found = []
  let depth = 0
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    if (element.closest('script, style, noscript')) continue
    let outside = ''
    for (const letter of node.data) {
      if (letter === '⟧') depth -= 1
      if (depth <= 0) outside += letter
      if (letter === '⟦') depth += 1
    }
    if (
      element.closest('[dir=auto], body [dir=ltr], bdi, option') === null &&
      isWords(outside, names)
    )
      found.push(outside.trim())
  }
  for (const attribute of ['aria-label', 'placeholder', 'alt', 'title', 'aria-roledescription'])
    for (const element of document.querySelectorAll(`body [${attribute}]`)) {
      const value = element.getAttribute(attribute)
      if (!value.includes('⟦') && isWords(value, names)) found.push(`${attribute}: ${value}`)
    }
  return found
}

function isWords(text, names) {
  const rest = names
    .reduce((left, name) => left.replaceAll(name, ''), text)
    // Formatted by Intl.
    .replaceAll(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g, '')
    .replaceAll(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b/g, '')
    .replaceAll(/\b(?:in|ago|at|to|AM|PM|UTC|GMT|today|yesterday|tomorrow|now|USD)\b/g, '')
    .replaceAll(/\b(?:last|next|this) (?:second|minute|hour|day|week|month|year)\b/g, '')
    .replaceAll(/\b(?:seconds?|minutes?|hours?|days?|min|hr|sec|km|m|kB|MB)\b/g, '')
  return /\p{Letter}{2}/u.test(rest)
}

/** Elements that are still animated although reduced motion is requested. */
export function moving() {
  const seconds = (value) => Math.max(...value.split(',').map((one) => Number.parseFloat(one)))
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
      const isAnimated = animationName !== 'none' && seconds(animationDuration) > 0.011
      return isAnimated || seconds(transitionDuration) > 0.011
    })
    .map((element) => `${element.tagName} ${element.className}`)
}

/** The left offsets of a heading's first and last letter, in its own direction or in another. */
export function endsOf(words, direction) {
  const heading = [...document.querySelectorAll('h1, h2, h3')].find(
    ({ textContent }) => textContent === words,
  )
  if (direction !== undefined) heading.dir = direction
  const letters = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT).nextNode()
  const leftOf = (at) => {
    const range = document.createRange()
    range.setStart(letters, at)
    range.setEnd(letters, at + 1)
    return range.getBoundingClientRect().left
  }
  return { first: leftOf(0), last: leftOf(letters.length - 1) }
}

/** `-1 1` if it is mirrored. */
export const scaleOf = (selector) => getComputedStyle(document.querySelector(selector)).scale
