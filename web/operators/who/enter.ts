import { useQueryClient } from '@tanstack/react-query'
import { forgetUserData } from '../../shared/session.ts'
import { sessionQuery } from '../queries.ts'
import { NoCookie } from './passkey.ts'

/** Enters the desk once the server has begun a session. Nothing that was loaded for somebody else is kept. */
export function useEnter(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    forgetUserData(client)
    const session = await client.query({ ...sessionQuery, staleTime: 0 })
    if (session === null) throw new NoCookie()
  }
}
