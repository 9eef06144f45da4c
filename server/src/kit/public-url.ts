import type { Config } from '../config.ts'

/** Our public URL, without a trailing slash. Never taken from a request's Host header, which anyone can forge. */
export const publicUrl = ({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>) =>
  (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '')
