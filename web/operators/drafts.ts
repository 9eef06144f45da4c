/** What an operator has typed and not sent yet. It survives a reload and signing in again, but not the tab. */
import { useState } from 'react'
import { useDesk } from './session.tsx'

const PREFIX = 'legwork.desk.draft'

/** The text of a field; `name` says which field of which record. An empty text removes the draft. */
export function useDraft(name: string): [text: string, setText: (text: string) => void] {
  const { operator } = useDesk()
  const key = `${PREFIX} ${operator.id} ${name}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  return [
    text,
    (changed) => {
      setText(changed)
      if (changed === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, changed)
    },
  ]
}
