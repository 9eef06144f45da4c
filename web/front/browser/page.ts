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

/** A place in the page that the script fills. */
export const slot = (name: string) => document.querySelector<HTMLElement>(`[data-slot="${name}"]`)!

/** `1.2 s` */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
