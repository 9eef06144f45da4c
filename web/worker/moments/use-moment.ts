import { useEffect, useState } from 'react'
import { useSession } from '../session.tsx'
import { hasSeen, type Moment, noteSeen } from './seen.ts'

/** Whether to show a moment: true until the component is closed if the worker hasn't seen it yet, then never again. */
export function useMoment(moment: Moment, isDue = true): boolean {
  const { worker } = useSession()
  const id = worker?.id
  const [isNew] = useState(() => id !== undefined && !hasSeen(id, moment))
  const isShown = isNew && isDue
  useEffect(() => {
    if (isShown && id !== undefined) noteSeen(id, moment)
  }, [isShown, id, moment])
  return isShown
}
