import type { Config } from '../config.ts'

/** Where operators reach the desk. A passkey is bound to its host, which can't be an IP address. */
export const deskUrl = ({ DESK_URL, DESK_PORT }: Pick<Config, 'DESK_URL' | 'DESK_PORT'>) =>
  (DESK_URL ?? `http://localhost:${DESK_PORT ?? 0}`).replace(/\/+$/, '')
