const NO_PROXY = 'none'

/** The setting TRUST_PROXY as a list of ranges; empty where clients connect directly. */
export function trustedProxies(setting: string | undefined): string[] {
  if (setting === undefined || setting.trim() === NO_PROXY) return []
  return setting.split(',').map((range) => range.trim())
}
