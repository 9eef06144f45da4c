import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation with an idempotency key: retries reuse the key until the mutation succeeds or its input changes. On
 * success, queries whose key starts with one of `changes` are refetched.
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
