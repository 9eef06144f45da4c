import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Something that changes things. It has a key under which it can be said again without a second effect: the same one
 * until it has succeeded or says something else. What it `changes`, by the first part of their keys, is asked again.
 */
export function useAction<Said, Answer>({
  run,
  changes,
  onDone,
}: {
  run(said: Said, key: string): Promise<Answer>
  changes: string[]
  onDone?(answer: Answer): void
}) {
  const client = useQueryClient()
  const last = useRef({ said: '', key: '' })
  return useMutation({
    mutationFn(said: Said) {
      const text = JSON.stringify(said) ?? ''
      if (last.current.said !== text || last.current.key === '')
        last.current = { said: text, key: crypto.randomUUID() }
      return run(said, last.current.key)
    },
    async onSuccess(answer) {
      last.current = { said: '', key: '' }
      onDone?.(answer)
      await Promise.all(
        changes.map((first) => client.invalidateQueries({ queryKey: [first], exact: false })),
      )
    },
  })
}
