/** Photos of a message: chosen before sending, and shown in the conversation. */
import { ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { dataUrlOf, PHOTOS_MAX, shrinkForQuestion } from '../../shared/question-photos.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import type { Question } from './queries.ts'

const THUMBNAIL = 'size-24 rounded-field border border-border bg-raised object-cover text-sm'

/** `photos`: data URLs. */
export function PhotoPicker({
  photos,
  onChange,
}: {
  photos: string[]
  onChange(photos: string[]): void
}) {
  const [isUnreadable, setIsUnreadable] = useState(false)
  const add = async (files: File[]) => {
    const made = await Promise.allSettled(
      files
        .slice(0, PHOTOS_MAX - photos.length)
        .map(async (file) => dataUrlOf(await shrinkForQuestion(file))),
    )
    setIsUnreadable(made.some(({ status }) => status === 'rejected'))
    onChange([...photos, ...made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))])
  }
  return (
    <div role="group" aria-label="Photos" className="flex flex-col gap-2">
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {photos.map((photo, at) => (
            <li key={photo} className="flex flex-col items-center">
              <img src={photo} alt={`Photo ${at + 1}`} className={THUMBNAIL} />
              <IconButton
                label={`Remove photo ${at + 1}`}
                onPress={() => onChange(photos.filter((one) => one !== photo))}
              >
                <X size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {photos.length < PHOTOS_MAX && (
        <div>
          <FileTrigger
            acceptedFileTypes={['image/*']}
            allowsMultiple
            onSelect={(files) => void add([...(files ?? [])])}
          >
            <Button look="secondary">
              <ImagePlus size={16} aria-hidden />
              Add photos
            </Button>
          </FileTrigger>
        </div>
      )}
      <p className="text-sm text-muted">
        Up to {PHOTOS_MAX} photos or screenshots. We remove the location and time from them.
      </p>
      {isUnreadable && (
        <p role="alert" className="text-sm font-semibold text-danger">
          This file isn’t a photo that we can open. Choose a JPEG or PNG.
        </p>
      )}
    </div>
  )
}

/** Each opens in full size. */
export function PhotosOf({ photos }: Pick<Question['messages'][number], 'photos'>) {
  if (photos.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {photos.map(({ url }, at) => (
        <li key={at}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Photo ${at + 1}`}
            className="block rounded-field"
          >
            <img src={url} alt="" className={THUMBNAIL} />
          </a>
        </li>
      ))}
    </ul>
  )
}
