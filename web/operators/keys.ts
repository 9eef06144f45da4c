/** Keyboard shortcuts. */
import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from '../shared/desk/is-typing.ts'

export type Keys = Record<string, ((event: KeyboardEvent) => void) | undefined>

/** Calls the function of the pressed key, unless the key is typed into a field or a dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('[role=dialog]') !== null) return
      if (event.key === 'Enter' && isPressable(event.target)) return
      const run = latest.current[event.key]
      if (run === undefined) return
      // The letter must not be typed into a field that the shortcut focuses.
      event.preventDefault()
      run(event)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null

/** `j` and `k` move the focus through the links marked with `data-row`; `o` opens the focused one, as Enter does. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const move = (by: number) => {
    const all = rows()
    const at = all.findIndex((row) => row === document.activeElement)
    all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () =>
      rows()
        .find((row) => row === document.activeElement)
        ?.click(),
  })
}
