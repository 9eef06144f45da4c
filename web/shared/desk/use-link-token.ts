import { useEffect, useState } from 'react'

/**
 * The token of an emailed link. It is in the URL fragment, which browsers don't send to servers, and is removed from
 * the address bar and history at once.
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
