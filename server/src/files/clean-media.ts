/**
 * Cleans recordings. Re-encoding would take minutes, so we parse the container instead, and blank or leave out
 * everything that is neither picture nor sound. Files that can't be parsed are refused. Runs only in the media process.
 */
import type { Cleaned } from './clean-image.ts'
import { cleanMp3, cleanOgg, cleanWav } from './clean-sound.ts'
import { cleanMp4 } from './clean-mp4.ts'
import { cleanWebm } from './clean-webm.ts'
import { FileRefused } from './refused.ts'
import type { Form } from './sniff.ts'

const CLEANERS: Record<
  Exclude<Form, 'jpeg' | 'png' | 'webp' | 'gif'>,
  (bytes: Buffer) => Cleaned
> = {
  mp4: cleanMp4,
  webm: cleanWebm,
  mp3: cleanMp3,
  wav: cleanWav,
  ogg: cleanOgg,
}

export function cleanMedia(bytes: Buffer, form: keyof typeof CLEANERS): Cleaned {
  try {
    return CLEANERS[form](bytes)
  } catch (error) {
    // A read past the end: the file contains a wrong length.
    if (error instanceof RangeError) throw new FileRefused('is damaged: record it again')
    throw error
  }
}
