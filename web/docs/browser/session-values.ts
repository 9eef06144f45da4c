/** Values stored for this window only: a test key, and the ids of objects created with it. */
const KEY = 'legwork.docs.key'
const IDS = 'legwork.docs.ids'

export const TEST_KEY = /^lw_test_[\w-]+$/

export const storedKey = () => sessionStorage.getItem(KEY)

export function storeKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
  sessionStorage.removeItem(IDS)
  document.dispatchEvent(new Event('legwork-stored'))
}

export const storedIds = (): Record<string, string> =>
  JSON.parse(sessionStorage.getItem(IDS) ?? '{}') as Record<string, string>

/** Prefix of an id in a response → the variable that stands for it in samples. */
const VARIABLES: Record<string, string> = {
  task: 'TASK_ID',
  evt: 'EVENT_ID',
  key: 'KEY_ID',
  worker: 'WORKER_ID',
}

export function storeIds(answer: string): void {
  const ids = storedIds()
  for (const [prefix, variable] of Object.entries(VARIABLES)) {
    const found = new RegExp(`"(${prefix}_[0-9a-z]{26})"`).exec(answer)
    if (found) ids[variable] = found[1]!
  }
  sessionStorage.setItem(IDS, JSON.stringify(ids))
  document.dispatchEvent(new Event('legwork-stored'))
}
