/** DOM helpers. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value)
  element.append(...children)
  return element
}

export const slot = (name: string) => document.querySelector<HTMLElement>(`[data-slot="${name}"]`)

export const panels = () => [...document.querySelectorAll<HTMLElement>('.panel')]

export const codeOf = (panel: Element) => panel.querySelector('pre code')!

/** The button bar of a code block. */
export function actsOf(panel: HTMLElement): HTMLElement {
  const bar = panel.querySelector('.caption')!
  const known = bar.querySelector<HTMLElement>('.acts')
  if (known) return known
  const acts = make('div', { class: 'acts' })
  bar.append(acts)
  return acts
}

const aloud = make('div', { class: 'said-aloud', role: 'status' })

/** Announces a change to screen readers. */
export function say(words: string): void {
  if (!aloud.isConnected) document.querySelector('main')!.append(aloud)
  aloud.textContent = words
}
