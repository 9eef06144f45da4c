import { useEffect, useRef, useState } from 'react'
import { useSession } from '../session.tsx'
import { dropMedia, keepDraft, keepMedia, readDraft } from './draft-store.ts'
import { type Draft, type DraftFile, emptyDraft } from './draft.ts'

export interface DraftInHand {
  draft: Draft
  /** Saved on every change, so that it survives a closed tab. */
  change(change: Partial<Pick<Draft, 'text' | 'answer' | 'outcome' | 'ticked'>>): void
  add(file: Omit<DraftFile, 'id' | 'bytes'>, bytes: ArrayBuffer): Promise<void>
  remove(fileId: string): void
  /** Reloads the stored draft, after it was sent or taken back. */
  reread(): Promise<void>
}

/** undefined until loaded. */
export function useDraft(taskId: string): DraftInHand | undefined {
  const workerId = useSession().worker?.id
  const [draft, setDraft] = useState<Draft>()
  const latest = useRef<Draft>(undefined)
  useEffect(() => {
    if (workerId === undefined) return
    let isGone = false
    const begin = (found: Draft) => {
      if (isGone) return
      latest.current = found
      setDraft(found)
    }
    readDraft(workerId, taskId).then(begin, () => begin(emptyDraft(workerId, taskId)))
    return () => {
      isGone = true
    }
  }, [workerId, taskId])

  const put = (next: Draft) => {
    latest.current = next
    setDraft(next)
    // If storing fails, continue with the draft in memory.
    void keepDraft(next).catch(() => {})
  }

  if (draft === undefined) return undefined
  return {
    draft,
    change: (change) => put({ ...latest.current!, ...change }),
    async add(file, bytes) {
      const id = crypto.randomUUID()
      await keepMedia(id, bytes)
      const now = latest.current!
      put({ ...now, files: [...now.files, { ...file, id, bytes: bytes.byteLength }] })
    },
    async reread() {
      const { workerId, taskId } = latest.current!
      const found = await readDraft(workerId, taskId)
      latest.current = found
      setDraft(found)
    },
    remove(fileId) {
      const now = latest.current!
      put({ ...now, files: now.files.filter(({ id }) => id !== fileId) })
      void dropMedia(fileId)
    },
  }
}
