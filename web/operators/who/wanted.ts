/** Remembers the wanted screen while the browser is at the company's sign-in page, which sends it back to the start. */
import { useEffect } from 'react'
import { useLocation } from 'wouter'

const KEY = 'legwork.desk.wanted'

export function goToCompany(here: string): void {
  if (here !== '/sign-in' && here !== '/join') sessionStorage.setItem(KEY, here)
  location.assign('/desk/api/sign-in/oidc')
}

/** Opens that screen, once, after signing in. */
export function useWanted(isSignedIn: boolean): void {
  const [here, go] = useLocation()
  useEffect(() => {
    if (!isSignedIn) return
    const wanted = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (wanted !== null && here === '/') go(wanted, { replace: true })
  }, [isSignedIn, here, go])
}
