/** The cookie that carries a console session. */
import { clearCookie, readCookie, setCookie } from '../kit/cookies.ts'

export const CONSOLE_COOKIE = '__Host-legwork-console'

export const setConsoleCookie = (token: string, { seconds }: { seconds: number }) =>
  setCookie(CONSOLE_COOKIE, token, { seconds })

export const clearConsoleCookie = () => clearCookie(CONSOLE_COOKIE)

export const readConsoleCookie = (header: string | undefined) => readCookie(CONSOLE_COOKIE, header)
