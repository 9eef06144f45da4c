import { type ReactNode, useEffect, useState } from 'react'
import { mediaOf } from '../phone/outbox.ts'
import type { DraftFile } from '../phone/draft.ts'
import { useText } from '../text/use-text.tsx'

/** An object URL for stored bytes; undefined until they are read. */
export function useMediaUrl(file: Pick<DraftFile, 'id' | 'content_type'>): string | undefined {
  const { id, content_type } = file
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    void mediaOf(id).then((bytes) => {
      if (isGone || bytes === undefined) return
      made = URL.createObjectURL(new Blob([bytes], { type: content_type }))
      setUrl(made)
    })
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, content_type])
  return url
}

/** A photo, video or recording stored on the phone. */
export function ShownMedia({ file, label }: { file: DraftFile; label: string }): ReactNode {
  const url = useMediaUrl(file)
  const text = useText()
  if (url === undefined) return <div className="aspect-[4/3] w-full rounded-card bg-raised" />
  if (file.kind === 'photo')
    return (
      <img
        src={url}
        alt={label}
        className="max-h-96 w-full rounded-card bg-raised object-contain"
      />
    )
  if (file.kind === 'audio')
    // The worker's own recording needs no captions.
    return <audio src={url} controls aria-label={label} className="w-full" />
  return (
    <video
      src={url}
      controls
      playsInline
      aria-label={text('active.check.playback')}
      className="max-h-96 w-full rounded-card bg-raised"
    />
  )
}
