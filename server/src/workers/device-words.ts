/** Which browser and system a session uses, in the words people know. The User-Agent header itself is not stored. */

/** The first match wins: Edge also names Chrome, and Chrome also names Safari. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]
const READ_MAX = 500

export interface Device {
  browser: string | null
  system: string | null
}

/** Null for anything unknown, such as a program that uses the API. */
export function deviceOf(userAgent: string | undefined): Device {
  const header = (userAgent ?? '').slice(0, READ_MAX)
  const find = (words: [RegExp, string][]) =>
    words.find(([pattern]) => pattern.test(header))?.[1] ?? null
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}
