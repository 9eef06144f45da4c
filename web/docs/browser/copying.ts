/** Copies a block, or the page as Markdown. */
import { actsOf, codeOf, make, panels, say, slot } from './page.ts'

const SHOWN_MS = 1500

export function addCopying(): void {
  for (const panel of panels()) {
    if (panel.dataset.name === 'Output') continue
    const button = make('button', { type: 'button', class: 'act' }, 'Copy')
    button.addEventListener('click', () => void copy(codeOf(panel).textContent!, button))
    barOf(panel).append(button)
  }
}

/** Within tabs the captions are hidden, so the buttons go below the code. */
export function barOf(panel: HTMLElement): HTMLElement {
  if (!panel.closest('.tabs.live')) return actsOf(panel)
  const known = panel.querySelector<HTMLElement>(':scope > .acts')
  if (known) return known
  const acts = make('div', { class: 'acts below' })
  panel.append(acts)
  return acts
}

export function addPageCopying(): void {
  const place = slot('copy-page')
  if (!place) return
  const button = make('button', { type: 'button', class: 'act' }, 'Copy as Markdown')
  button.addEventListener('click', () => {
    void fetch(place.dataset.twin!)
      .then(async (response) => copy(await response.text(), button))
      .catch(() => say('Couldn’t load the page. Try again.'))
  })
  place.append(button)
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  const before = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    say('Copied')
  } catch {
    button.textContent = 'Not allowed'
    say('Your browser doesn’t allow copying here. Select the text instead.')
  }
  setTimeout(() => {
    button.textContent = before
  }, SHOWN_MS)
}
