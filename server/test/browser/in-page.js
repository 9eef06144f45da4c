/** What runs in the page itself, where there is a document and none of our types. */

const nameOf = (element) =>
  (
    element.getAttribute('aria-label') ??
    (labelsOf(element) || element.labels?.[0]?.innerText || element.innerText || '')
  ).trim()

/** What it is labelled by, where that has a name of its own. */
const labelsOf = (element) =>
  (element.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => document.querySelector(`[id="${id}"]`))
    .map((label) => label?.getAttribute('aria-label') ?? label?.innerText ?? '')
    .join(' ')

/** One that nobody sees has nothing to be hit by: a way past the bars, or out of a sheet. */
const isForScreenReaders = (element) =>
  element.matches('.skip') || element.parentElement.getBoundingClientRect().width <= 1

/** How the page is built, and what in it is hard to read or to hit. */
export function survey(targetMin) {
  const controls = [
    ...document.querySelectorAll('button, input:not([type=hidden]), select, summary, a'),
  ].filter((element) => element.checkVisibility() && !isForScreenReaders(element))
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

/** How wide the page is with letters of this size, and what makes it so. */
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

/** What has the focus, and whether one sees it: it has an outline, and nothing that stays in its place covers it. */
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
  // A switch, a radio button and a file's input are drawn by the label around them.
  const shown = element.closest('label') ?? element
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const isHere = (x, y) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (shown.contains(hit) || hit.contains(shown))
  }
  const x = (left + right) / 2
  const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  // What is larger than the screen is seen in part.
  const points = bottom - top > innerHeight / 2 ? [middle] : [top + 3, middle, bottom - 3]
  return !points.some((y) => isHere(x, y))
}

/** Whether the focus is in the first element of this kind. */
export function hasFocus(selector) {
  return document.querySelector(selector)?.contains(document.activeElement) ?? false
}

/** Whether the screen is all there: it has its heading, and nothing is said to be loading. */
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
 * Our words that do not come from the messages: in the pseudo-language those stand in ⟦…⟧. What people wrote is in
 * elements with dir="auto" or in bdi; numbers, money and dates are no words, and choices such as countries and
 * languages have their names from the browser.
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
    // As Intl writes them.
    .replaceAll(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g, '')
    .replaceAll(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b/g, '')
    .replaceAll(/\b(?:in|ago|at|to|AM|PM|UTC|GMT|today|yesterday|tomorrow|now|USD)\b/g, '')
    .replaceAll(/\b(?:last|next|this) (?:second|minute|hour|day|week|month|year)\b/g, '')
    .replaceAll(/\b(?:seconds?|minutes?|hours?|days?|min|hr|sec|km|m|kB|MB)\b/g, '')
  return /\p{Letter}{2}/u.test(rest)
}

/** What still moves although people asked for nothing to. */
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

/** How far from the left the first and the last letter of a heading stand, in the direction it has or in another. */
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

/** `-1 1` where it is mirrored. */
export const scaleOf = (selector) => getComputedStyle(document.querySelector(selector)).scale
