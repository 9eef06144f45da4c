/** Must match package.json, which a bundle may not include. */
export const VERSION = '0.1.0'
