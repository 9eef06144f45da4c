/** Adds photos from the camera or the gallery to a message. */
import { Camera, Images, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useMediaUrl } from '../active/shown-media.tsx'
import type { DraftFile } from '../phone/draft.ts'
import { useText } from '../text/use-text.tsx'
import { PHOTOS_MAX } from '../../shared/question-photos.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import type { MessageDraft } from './use-message-draft.ts'

export function PhotoPicker({ draft }: { draft: MessageDraft }) {
  const text = useText()
  const [isUnreadable, setIsUnreadable] = useState(false)
  const room = PHOTOS_MAX - draft.photos.length

  const add = async (files: File[], from: DraftFile['source']) => {
    setIsUnreadable(false)
    for (const file of files.slice(0, room)) {
      try {
        await draft.addPhoto(file, from)
      } catch {
        setIsUnreadable(true)
      }
    }
  }
  return (
    <div role="group" aria-label={text('photos.title')} className="flex flex-col gap-2">
      {draft.photos.length > 0 && (
        <ul className="grid grid-cols-3 gap-2">
          {draft.photos.map((photo, at) => (
            <Chosen
              key={photo.id}
              photo={photo}
              number={at + 1}
              onRemove={() => draft.removePhoto(photo.id)}
            />
          ))}
        </ul>
      )}
      {room > 0 && (
        <div className="grid grid-cols-1 gap-2 min-[26rem]:grid-cols-2">
          <FileTrigger
            acceptedFileTypes={['image/*']}
            defaultCamera="environment"
            onSelect={(files) => void add([...(files ?? [])], 'camera')}
          >
            <Button look="secondary">
              <Camera size={20} aria-hidden />
              {text('photos.take')}
            </Button>
          </FileTrigger>
          <FileTrigger
            acceptedFileTypes={['image/*']}
            allowsMultiple
            onSelect={(files) => void add([...(files ?? [])], 'file')}
          >
            <Button look="secondary">
              <Images size={20} aria-hidden />
              {text('photos.choose')}
            </Button>
          </FileTrigger>
        </div>
      )}
      <p className="text-sm text-muted">{text('photos.hint', { count: PHOTOS_MAX })}</p>
      {isUnreadable && (
        <p role="alert" className="text-sm font-semibold text-danger">
          {text('active.camera.notAPicture')}
        </p>
      )}
    </div>
  )
}

function Chosen({
  photo,
  number,
  onRemove,
}: {
  photo: DraftFile
  number: number
  onRemove(): void
}) {
  const text = useText()
  const url = useMediaUrl(photo)
  return (
    <li className="flex flex-col items-center">
      {url === undefined ? (
        <span className="aspect-square w-full rounded-field bg-raised" />
      ) : (
        <img
          src={url}
          alt={text('photos.photo', { number })}
          className="aspect-square w-full rounded-field bg-raised object-cover"
        />
      )}
      <IconButton label={text('photos.remove', { number })} onPress={onRemove}>
        <Trash2 size={20} aria-hidden />
      </IconButton>
    </li>
  )
}
