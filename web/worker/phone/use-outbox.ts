/** React hooks for the outbox, and sending while the app is open. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sessionQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { listenToOutbox, outboxOf, sendOutbox, SYNC_TAG } from './outbox.ts'
import type { OutboxItem } from './outbox-rules.ts'

/** undefined until loaded. */
export function useOutbox(): OutboxItem[] | undefined {
  const workerId = useSession().worker?.id
  const [items, setItems] = useState<OutboxItem[]>()
  useEffect(() => {
    if (workerId === undefined) return
    let isGone = false
    const read = () =>
      void outboxOf(workerId).then(
        (found) => {
          if (!isGone) setItems(found)
        },
        () => setItems([]),
      )
    read()
    const stop = listenToOutbox(read)
    return () => {
      isGone = true
      stop()
    }
  }, [workerId])
  return items
}

const SOON_MS = 50
const RETRY_MS = 30_000

/** Use once, around all screens: sends new items, and retries when the network comes back or the app is opened. */
export function useSending(): void {
  const client = useQueryClient()
  const workerId = useSession().worker?.id
  useEffect(() => {
    if (workerId === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const sendIn = (ms: number, isWoken = false) => {
      clearTimeout(timer)
      timer = setTimeout(() => void send(isWoken), Math.max(SOON_MS, ms))
    }
    const send = async (isWoken: boolean) => {
      const { againAt } = await sendOutbox({ isWoken }).catch(() => ({
        againAt: Date.now() + RETRY_MS,
      }))
      if (!isGone && againAt !== null) sendIn(againAt - Date.now())
    }
    const wake = () => {
      if (document.visibilityState === 'visible') sendIn(0, true)
    }
    const stop = listenToOutbox(({ state }) => {
      if (state === 'sent' || state === 'refused')
        void client.invalidateQueries({ queryKey: ['work'] })
      if (state === 'needs_login')
        void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    addEventListener('online', wake)
    document.addEventListener('visibilitychange', wake)
    addEventListener(PUT, wake)
    sendIn(0, true)
    return () => {
      isGone = true
      clearTimeout(timer)
      stop()
      removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wake)
      removeEventListener(PUT, wake)
    }
  }, [client, workerId])
}

const PUT = 'legwork-outbox-put'

/** Call after adding an item. With background sync, sending continues when the app is closed. */
export function sendSoon(): void {
  dispatchEvent(new Event(PUT))
  void navigator.serviceWorker?.ready
    .then((registration) =>
      (
        registration as unknown as { sync?: { register(tag: string): Promise<void> } }
      ).sync?.register(SYNC_TAG),
    )
    // Not every browser supports background sync, and some require a permission: then it is sent while the app is open.
    .catch(() => {})
}
