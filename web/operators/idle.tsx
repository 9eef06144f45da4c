/**
 * Warns before the session ends because nothing is done, and then ends it, so that no screen stays open. While nobody
 * uses the page, nothing is refetched either: otherwise the page itself would keep the session alive.
 */
import { focusManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Hourglass } from 'lucide-react'
import { clockTime } from '../shared/desk/figures.ts'
import { Button } from '../shared/ui/button.tsx'
import { Banner } from '../shared/ui/card.tsx'
import { api } from './api.ts'
import { sessionQuery } from './queries.ts'
import { useDesk } from './session.tsx'

const MINUTE_MS = 60_000
const WARNED_MS = 3 * MINUTE_MS
/** Without input for this long, the page stops refetching. */
const QUIET_MS = 2 * MINUTE_MS
const CHECK_MS = 5000
/** When somebody last used any tab of the desk. */
const USED_KEY = 'legwork.desk.used-at'
const SIGNS = ['keydown', 'pointerdown', 'wheel', 'focus'] as const

export function IdleWarning() {
  const { idleMinutes, endIdle } = useDesk()
  const client = useQueryClient()
  const lastAt = useRef(Date.now())
  const end = useRef(endIdle)
  end.current = endIdle
  const [endsAt, setEndsAt] = useState<number>()
  useEffect(() => {
    const notice = () => {
      const wasQuiet = Date.now() - lastAt.current > QUIET_MS
      lastAt.current = Date.now()
      localStorage.setItem(USED_KEY, String(lastAt.current))
      if (wasQuiet) focusManager.setFocused(undefined)
    }
    const check = () => {
      const quietMs = Date.now() - lastAt.current
      if (quietMs > QUIET_MS) focusManager.setFocused(false)
      const usedAt = Math.max(lastAt.current, Number(localStorage.getItem(USED_KEY)))
      const idleAt = usedAt + idleMinutes * MINUTE_MS
      setEndsAt(idleAt - Date.now() < WARNED_MS ? idleAt : undefined)
      if (idleAt <= Date.now()) void end.current()
    }
    const timer = setInterval(check, CHECK_MS)
    for (const sign of SIGNS) addEventListener(sign, notice, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, notice)
      focusManager.setFocused(undefined)
    }
  }, [idleMinutes])
  if (endsAt === undefined) return null
  return (
    <div className="px-4 pt-3 wide:px-8">
      <Banner
        tone="warn"
        isAlert
        icon={<Hourglass size={18} aria-hidden />}
        title={`You’ll be signed out at ${clockTime(new Date(endsAt).toISOString())}`}
        action={
          <div className="pt-1">
            <Button
              look="secondary"
              onPress={() => {
                setEndsAt(undefined)
                void api
                  .get('/session')
                  .catch(() => client.invalidateQueries({ queryKey: sessionQuery.queryKey }))
              }}
            >
              Stay signed in
            </Button>
          </div>
        }
      >
        Nothing was done for a while. What you have typed is kept.
      </Banner>
    </div>
  )
}
