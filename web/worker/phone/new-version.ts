/** What the page says to the version that waits. */
export const USE_IT_NOW = 'use it now'
