/** As in package.json, which a bundle may not have beside it. */
export const VERSION = '0.1.0'
