import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { INPUT } from '../ui/field.tsx'
import { isTyping } from './is-typing.ts'

/** The search box of the top bar. `/` focuses it from any screen. */
export function SlashBox({
  label,
  placeholder,
  problem,
  onEnter,
}: {
  label: string
  placeholder: string
  problem?: string | undefined
  /** Returns false if the text was of no use: then it stays in the box. */
  onEnter(text: string): boolean | void
}) {
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  return (
    <form
      role="search"
      className="ms-auto flex w-full max-w-96 min-w-0 flex-1 basis-56 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        const text = input.current!.value.trim()
        if (text === '' || onEnter(text) === false) return
        input.current!.value = ''
        input.current!.blur()
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
