import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation with an idempotency key: retries reuse the key until the mutation succeeds or its input changes. On
 * success, queries whose key starts with one of `changes` are refetched.
 */
export function useAction<Input, Answer>({
  run,
  changes,
  onDone,
}: {
  run(input: Input, key: string): Promise<Answer>
  changes: string[]
  onDone?(answer: Answer): void
}) {
  const client = useQueryClient()
  const last = useRef({ input: '', key: '' })
  return useMutation({
    mutationFn(input: Input) {
      const text = JSON.stringify(input) ?? ''
      if (last.current.input !== text || last.current.key === '')
        last.current = { input: text, key: crypto.randomUUID() }
      return run(input, last.current.key)
    },
    async onSuccess(answer) {
      last.current = { input: '', key: '' }
      onDone?.(answer)
      await Promise.all(
        changes.map((first) => client.invalidateQueries({ queryKey: [first], exact: false })),
      )
    },
  })
}
