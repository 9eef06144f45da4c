/**
 * A started message to the operators: its words and photos. It is stored on the phone like the draft of a proof, so
 * that it survives a closed tab and a failed request.
 */
import { useMemo } from 'react'
import { dropDraft } from '../phone/draft-store.ts'
import type { DraftFile } from '../phone/draft.ts'
import { mediaOf } from '../phone/outbox.ts'
import { useDraft } from '../phone/use-draft.ts'
import { dataUrlOf, shrinkForQuestion } from '../../shared/question-photos.ts'
import { SUBJECTS } from './queries.ts'

type Subject = (typeof SUBJECTS)[number]

export interface MessageDraft {
  words: string
  /** The subject of a new question; null until one is chosen. */
  subject: Subject | null
  photos: DraftFile[]
  /** The idempotency key: a retry of the same message has the same key. */
  key: string
  write(words: string): void
  choose(subject: Subject): void
  /** Throws if the file isn't an image. */
  addPhoto(file: File, from: DraftFile['source']): Promise<void>
  removePhoto(id: string): void
  /** The photos as the API takes them. */
  photoUrls(): Promise<string[]>
  /** After the message was sent. */
  clear(): Promise<void>
}

/** `about`: a question's id, or what a new question is about. undefined until the draft is loaded. */
export function useMessageDraft(about: string): MessageDraft | undefined {
  const hand = useDraft(`question ${about}`)
  const draft = hand?.draft
  const key = useMemo(
    () => crypto.randomUUID(),
    [draft?.text, draft?.answer, draft?.files.map(({ id }) => id).join(' ')],
  )
  if (hand === undefined || draft === undefined) return undefined
  return {
    words: draft.text,
    subject: SUBJECTS.find((known) => known === draft.answer) ?? null,
    photos: draft.files,
    key,
    write: (words) => hand.change({ text: words }),
    choose: (subject) => hand.change({ answer: subject }),
    async addPhoto(file, source) {
      const photo = await shrinkForQuestion(file)
      const content_type = photo.type
      const about = { kind: 'photo', source, at: Date.now() } as const
      await hand.add(
        { ...about, content_type, quality: null, fix: null, durationS: null },
        await photo.arrayBuffer(),
      )
    },
    removePhoto: (id) => hand.remove(id),
    async photoUrls() {
      const urls = draft.files.map(async ({ id, content_type }) => {
        const bytes = await mediaOf(id)
        if (bytes === undefined) throw new Error(`the bytes of ${id} are gone`)
        return dataUrlOf(new Blob([bytes], { type: content_type }))
      })
      return Promise.all(urls)
    },
    async clear() {
      await dropDraft(draft)
      await hand.reread()
    },
  }
}
