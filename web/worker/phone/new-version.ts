/** The page's message to the waiting service worker. */
export const USE_IT_NOW = 'use it now'
