import { useQuery } from '@tanstack/react-query'
import { keysQuery, meQuery } from './queries.ts'

/** The key that this session stands for; unknown where it may not see keys. */
export function useOwnKey() {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...keysQuery, retry: false })
  return data?.keys.find(({ id }) => id === me?.key.id)
}
