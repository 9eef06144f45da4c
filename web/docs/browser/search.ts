/** Searches headings. The index is loaded when the reader starts typing. */
import { make, slot } from './page.ts'

type Entry = [page: string, heading: string, address: string]
const SHOWN_MAX = 8

export function addSearch(): void {
  const place = slot('search')
  if (!place) return
  const list = make('ul', { id: 'found', role: 'listbox', 'aria-label': 'Search results' })
  list.hidden = true
  const input = make('input', {
    type: 'search',
    placeholder: 'Search   /',
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
  })
  place.append(input, list)

  let index: Promise<Entry[]> | undefined
  let at = 0
  const options = () => [...list.children] as HTMLElement[]
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const mark = (next: number) => {
    const all = options()
    at = (next + all.length) % all.length
    for (const [i, option] of all.entries()) option.setAttribute('aria-selected', String(i === at))
    input.setAttribute('aria-activedescendant', all[at]!.id)
    all[at]!.scrollIntoView({ block: 'nearest' })
  }
  const look = async () => {
    index ??= fetch(document.body.dataset.search!).then(
      (response) => response.json() as Promise<Entry[]>,
    )
    const found = find(await index, input.value)
    list.replaceChildren(
      ...found.map(([page, heading, address], i) => {
        const option = make('li', { role: 'option', id: `found-${i}`, 'data-address': address })
        option.append(
          heading === '' ? page : heading,
          make('span', {}, heading === '' ? 'Page' : page),
        )
        option.addEventListener('pointerdown', (event) => {
          event.preventDefault()
          go(address)
        })
        return option
      }),
    )
    if (found.length === 0) return close()
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    mark(0)
  }
  const go = (address: string) => {
    close()
    input.blur()
    location.assign(address)
  }
  input.addEventListener('input', () => void look().catch(close))
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (list.hidden) return
    if (event.key === 'ArrowDown') mark(at + 1)
    else if (event.key === 'ArrowUp') mark(at - 1)
    else if (event.key === 'Enter') go(options()[at]!.dataset.address!)
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isWriting = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
    if (event.key !== '/' || isWriting || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    input.focus()
  })
}

/** Every word must match. Pages rank before headings, and matches at the start of a word before those within. */
function find(index: Entry[], wanted: string): Entry[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return index
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry)
}

function scoreOf([page, heading]: Entry, words: string[]): number {
  const [title, text] = [page.toLowerCase(), heading.toLowerCase()]
  let score = 0
  for (const word of words) {
    const own = heading === '' ? title : text
    if (own.startsWith(word)) score += 8
    else if (own.includes(` ${word}`) || own.includes(`/${word}`)) score += 5
    else if (own.includes(word)) score += 3
    else if (title.includes(word)) score += 1
    else return 0
  }
  return score + (heading === '' ? 2 : 0)
}
