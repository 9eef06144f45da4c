/** The messages of screens that are loaded on demand: they arrive together with the first of these screens. */
import type { Messages } from './use-text.tsx'

type LoadRest = () => Promise<{ default: object }>

let wanted: { messages: Messages; load: LoadRest } | undefined
let arrival: Promise<unknown> | undefined

/** Called once at the start: `messages` is completed by the first call of `withRest`. */
export function expectRest(messages: Messages, load: LoadRest): void {
  wanted = { messages, load }
}

/** A screen and the messages that it needs. */
export async function withRest<Screen>(screen: Promise<Screen>): Promise<Screen> {
  arrival ??= complete().catch((error: unknown) => {
    // The next screen tries again.
    arrival = undefined
    throw error
  })
  const [loaded] = await Promise.all([screen, arrival])
  return loaded
}

async function complete(): Promise<void> {
  if (wanted === undefined) return
  const { default: rest } = await wanted.load()
  Object.assign(wanted.messages, rest)
}
