import { useEffect, useState } from 'react'

/**
 * The token of a mailed link, from the fragment of the address, which browsers send to nobody. It is taken out of the
 * address bar and the history at once.
 */
export function useLinkToken(): string | undefined {
  const [token] = useState(
    () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined,
  )
  useEffect(() => {
    if (token !== undefined) history.replaceState(null, '', location.pathname)
  }, [token])
  return token
}
