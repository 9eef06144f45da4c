const NO_PROXY = 'none'

/** The TRUST_PROXY setting as a list of ranges; empty if clients connect directly. */
export function trustedProxies(setting: string | undefined): string[] {
  if (setting === undefined || setting.trim() === NO_PROXY) return []
  return setting.split(',').map((range) => range.trim())
}
