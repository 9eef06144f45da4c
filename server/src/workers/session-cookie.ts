/** The cookie that carries a worker's token in a browser. */
import { clearCookie, readCookie, setCookie } from '../kit/cookies.ts'

export const SESSION_COOKIE = '__Host-legwork'

export const setSessionCookie = (token: string, { days }: { days: number }) =>
  setCookie(SESSION_COOKIE, token, { seconds: days * 86_400 })

export const clearSessionCookie = () => clearCookie(SESSION_COOKIE)

export const readSessionCookie = (header: string | undefined) => readCookie(SESSION_COOKIE, header)
