import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../shared/ui/button.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import type { TaskDetail } from '../queries.ts'

type Media = TaskDetail['proofs'][number]['media']

/** Photos as thumbnails that open large; video and audio play inline. */
export function MediaOf({ media, words }: { media: Media; words: string }) {
  const photos = media.filter(({ kind }) => kind === 'photo')
  const [open, setOpen] = useState<number>()
  return (
    <>
      {photos.length > 0 && (
        <ul className="grid grid-cols-2 gap-2">
          {photos.map(({ id, url }, at) => (
            <li key={id} className={photos.length === 1 ? 'col-span-2' : ''}>
              <button
                type="button"
                aria-label={`Photo ${at + 1} of ${photos.length}: ${words}`}
                onClick={() => setOpen(at)}
                className="block w-full overflow-hidden rounded-field border border-border bg-raised"
              >
                <img src={url} alt="" className="max-h-80 min-h-24 w-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {media
        .filter(({ kind }) => kind === 'video')
        .map(({ id, url }) => (
          // Workers' videos have no captions; the text beside them describes what they show.
          <video key={id} src={url} controls preload="metadata" className="w-full rounded-field" />
        ))}
      {media
        .filter(({ kind }) => kind === 'audio')
        .map(({ id, url }) => (
          <audio key={id} src={url} controls preload="metadata" className="w-full" />
        ))}
      {open !== undefined && (
        <Viewer
          photos={photos}
          at={open}
          words={words}
          onGo={setOpen}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function Viewer({
  photos,
  at,
  words,
  onGo,
  onClose,
}: {
  photos: Media
  at: number
  words: string
  onGo(at: number): void
  onClose(): void
}) {
  const photo = photos[at]!
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight' && at < photos.length - 1) onGo(at + 1)
      if (key === 'ArrowLeft' && at > 0) onGo(at - 1)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [at, photos.length, onGo])
  return (
    <Sheet
      title={`Photo ${at + 1} of ${photos.length}`}
      closeLabel="Close"
      isOpen
      onClose={onClose}
      footer={
        <div className="flex items-center justify-between gap-2">
          <IconButton label="Previous photo" isDisabled={at === 0} onPress={() => onGo(at - 1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <a
            href={photo.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-9 items-center text-brand underline"
          >
            Open file
          </a>
          <IconButton
            label="Next photo"
            isDisabled={at === photos.length - 1}
            onPress={() => onGo(at + 1)}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      }
    >
      <img
        src={photo.url}
        alt={`Photo ${at + 1} of ${photos.length}: ${words}`}
        className="max-h-[70dvh] w-full object-contain"
      />
    </Sheet>
  )
}
