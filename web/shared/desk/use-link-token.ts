import { useEffect, useState } from 'react'

/**
 * The token of an emailed link. It is in the URL fragment, which browsers don't send to servers, and is removed from
 * the address bar and history at once.
 */
export function useLinkToken(): string | undefined {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    if (token !== undefined) history.replaceState(null, '', location.pathname)
  }, [token])
  useEffect(() => {
    // Another link to the same page, opened in this tab, doesn't reload it.
    const read = () => setToken((before) => readToken() ?? before)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return token
}

const readToken = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
