import { useQuery } from '@tanstack/react-query'
import { useNow } from '../use-now.ts'
import { clockQuery } from './queries.ts'
import { useConsole } from './session.tsx'

/** The agent's own time: in test mode it may have been moved. */
export function useClock(everyMs = 10_000): number {
  const { isTest } = useConsole()
  const { data } = useQuery({ ...clockQuery, enabled: isTest })
  return useNow(everyMs) + (data?.moved_s ?? 0) * 1000
}
