import { useState } from 'react'
import { useLocation } from 'wouter'
import { SlashBox } from './slash-box.tsx'

/** An input that opens the object with the typed id. */
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
  return (
    <SlashBox
      label={label}
      placeholder={placeholder}
      problem={problem}
      onEnter={(id) => {
        const kind = id.includes('_') ? kinds[id.split('_')[0]!] : undefined
        setProblem(kind === undefined ? 'Enter a valid ID' : undefined)
        if (kind !== undefined) go(kind(id))
        return kind !== undefined
      }}
    />
  )
}
