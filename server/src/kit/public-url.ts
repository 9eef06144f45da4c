import type { Config } from '../config.ts'

/** How the world reaches us, without a slash at its end. Never from a request's Host header, which anyone can write. */
export const publicUrl = ({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>) =>
  (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '')
