import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { INPUT } from '../ui/field.tsx'

/** An input that opens the object with the typed id. `/` focuses it from any screen. */
export function GoTo({
  label,
  placeholder,
  kinds,
}: {
  label: string
  placeholder: string
  /** Prefix of an id, such as `task` → the address to open. */
  kinds: Record<string, (id: string) => string>
}) {
  const [, go] = useLocation()
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  return (
    <form
      role="search"
      className="ms-auto flex w-full max-w-96 min-w-0 flex-1 basis-56 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        const id = input.current!.value.trim()
        const kind = kinds[id.split('_')[0]!]
        setProblem(kind === undefined || !id.includes('_') ? 'Enter a valid ID' : undefined)
        if (kind !== undefined && id.includes('_')) {
          input.current!.value = ''
          input.current!.blur()
          go(kind(id))
        }
      }}
    >
      <div className="relative">
        <Search
          size={16}
          aria-hidden
          className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          className={`${INPUT} ps-9 pe-8 font-mono text-sm`}
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute end-2 top-1/2 hidden -translate-y-1/2 rounded-field border border-border px-1.5 font-mono text-xs text-muted wide:block"
        >
          /
        </kbd>
      </div>
      {problem !== undefined && (
        <span role="alert" className="text-sm text-danger">
          {problem}
        </span>
      )}
    </form>
  )
}

function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [input])
}

/** Whether a key press belongs to a field or dialog, and so isn't a shortcut. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]') !== null
