/** The search: a button, ⌘K or `/` opens a dialog. The search code and its index are loaded when it first opens. */
import type { Found, Piece } from '../search/find.ts'
import { make, say, slot } from './page.ts'

interface Searcher {
  loadSearch(address: string): Promise<(question: string) => Found[]>
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const PLACES = [
  ['Quickstart', '/docs/quickstart'],
  ['API reference', '/docs/reference'],
  ['Errors', '/docs/errors'],
  ['Ask our team', '/contact'],
] as const

export function addSearch(): void {
  const place = slot('search')
  if (!place) return
  const button = make(
    'button',
    { type: 'button', class: 'opener', 'aria-keyshortcuts': 'Meta+K Control+K /' },
    make('span', {}, 'Search the docs'),
    make('kbd', { 'aria-hidden': 'true' }, isApple ? '⌘K' : 'Ctrl K'),
  )
  place.append(button)

  const dialog = openDialog()
  document.body.append(dialog.element)
  button.addEventListener('click', dialog.open)
  document.addEventListener('keydown', (event) => {
    const { key, metaKey, ctrlKey, altKey } = event
    const isWriting = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
    const isSlash = key === '/' && !isWriting && !metaKey && !ctrlKey && !altKey
    const isK = key.toLowerCase() === 'k' && metaKey !== ctrlKey && !altKey
    if (!isSlash && !isK) return
    event.preventDefault()
    dialog.open()
  })
}

function openDialog() {
  const input = make('input', {
    type: 'search',
    placeholder: 'Search guides, endpoints and errors',
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
  })
  const close = make('button', { type: 'button', class: 'act' }, 'Close')
  const list = make('div', { id: 'found', role: 'listbox', 'aria-label': 'Search results' })
  const status = make('p', { class: 'status', role: 'status' })
  const places = make(
    'nav',
    { class: 'places', 'aria-label': 'Places to go next' },
    ...PLACES.map(([name, href]) => make('a', { href }, name)),
  )
  const element = make(
    'dialog',
    { class: 'finder', 'aria-label': 'Search the docs' },
    make('div', { class: 'question' }, input, close),
    list,
    status,
    places,
  )

  let search: ReturnType<Searcher['loadSearch']> | undefined
  let at = 0
  const options = () => [...list.children] as HTMLElement[]

  const mark = (next: number) => {
    const all = options()
    at = (next + all.length) % all.length
    for (const [i, option] of all.entries()) option.setAttribute('aria-selected', String(i === at))
    input.setAttribute('aria-activedescendant', all[at]!.id)
    all[at]!.scrollIntoView({ block: 'nearest' })
  }
  const show = (found: Found[], words: string) => {
    list.replaceChildren(...found.map((one, i) => optionOf(one, i)))
    list.hidden = found.length === 0
    places.hidden = found.length > 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    input.removeAttribute('aria-activedescendant')
    status.textContent = words
    if (found.length > 0) mark(0)
  }
  const load = () => {
    const { searcher, search: index } = document.body.dataset
    search ??= import(/* @vite-ignore */ searcher!).then((loaded: Searcher) =>
      loaded.loadSearch(index!),
    )
    return search
  }
  const look = async () => {
    try {
      const find = await load()
      const question = input.value.trim()
      if (question === '') return show([], '')
      const found = find(question)
      show(found, wordsFor(found.length, question))
    } catch {
      search = undefined
      show([], 'Couldn’t load the search. Check your connection and try again.')
    }
  }

  input.addEventListener('input', () => void look())
  input.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing) return
    if (event.key === 'ArrowDown') mark(at + 1)
    else if (event.key === 'ArrowUp') mark(at - 1)
    else if (event.key === 'Enter') options()[at]!.click()
    else return
    event.preventDefault()
  })
  // The chosen section may be on this page, which stays open.
  element.addEventListener('click', ({ target, metaKey, ctrlKey }) => {
    const isLink = (target as HTMLElement).closest('a') !== null && !metaKey && !ctrlKey
    if (target === element || isLink) element.close()
  })
  close.addEventListener('click', () => element.close())
  show([], '')

  return {
    element,
    open(this: void): void {
      if (element.open) return
      element.showModal()
      input.select()
      load().then(look, () => say('Couldn’t load the search.'))
    },
  }
}

const wordsFor = (count: number, question: string) =>
  count === 0
    ? `Nothing found for “${question}”. Try other words, or go to:`
    : `${count} ${count === 1 ? 'result' : 'results'}`

function optionOf({ page, heading, excerpt, address }: Found, at: number): HTMLElement {
  const isTop = heading.length === 0
  return make(
    'a',
    { href: address, role: 'option', id: `found-${at}`, tabindex: '-1', 'aria-selected': 'false' },
    make('span', { class: 'where' }, ...(isTop ? [page] : elementsOf(heading))),
    make('span', { class: 'on' }, isTop ? 'Page' : page),
    make('span', { class: 'excerpt' }, ...elementsOf(excerpt)),
  )
}

const elementsOf = (pieces: Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : make('mark', {}, piece.found)))
