/** Cleans the boxes of an MP4 that say how samples are coded (`stsd`) and in which file they are (`dref`). */
import { type Box, damaged, type ReadBoxes } from './mp4-boxes.ts'
import { FileRefused } from './refused.ts'

interface Copy {
  bytes: Buffer
  out: Buffer
  read: ReadBoxes
}

/** Fields before the boxes of a description, in bytes from its start. */
const PICTURE_BYTES = 86
const SOUND_BYTES = 36
/** The name of the encoder, which is free text. */
const ENCODER_AT = 50
const ENCODER_BYTES = 32

const PICTURE = 'avc1 avc2 avc3 avc4 hvc1 hev1 dvh1 dvhe dva1 dvav vp08 vp09 av01 mp4v s263'.split(
  ' ',
)
const SOUND = 'mp4a Opus ac-3 ec-3 alac samr sawb .mp3 ipcm fpcm sowt twos'.split(' ')
/** Boxes that decoders need: codec configuration, colors, pixel aspect ratio, bit rate, channel layout. */
const KEPT = (
  'avcC hvcC lhvC vpcC av1C dvcC dvvC esds d263 dOps dac3 dec3 alac damr pcmC chnl colr pasp clap fiel ' +
  'btrt SmDm CoLL mdcv clli'
).split(' ')

export function cleanDescriptions({ bytes, out, read }: Copy, { body, end }: Box): void {
  if (end - body < 8) throw damaged()
  bytes.copy(out, body, body, body + 8)
  for (const entry of read(body + 8, end)) {
    const { name, start } = entry
    const isPicture = PICTURE.includes(name)
    if (!isPicture && !SOUND.includes(name))
      throw new FileRefused('is coded in a way that we do not take: record it with H.264 and AAC')
    const boxes = boxesAt(bytes, entry)
    bytes.copy(out, start, start, boxes)
    if (isPicture) out.fill(0, start + ENCODER_AT, start + ENCODER_AT + ENCODER_BYTES)
    for (const box of read(boxes, lastBoxEnd(bytes, boxes, entry.end))) {
      bytes.copy(out, box.start, box.start, box.body)
      if (KEPT.includes(box.name)) bytes.copy(out, box.body, box.body, box.end)
      else out.write('free', box.start + 4, 'latin1')
    }
  }
}

/** The boxes of the first description. */
export function descriptionBoxes({ bytes, read }: Omit<Copy, 'out'>, { body, end }: Box): Box[] {
  const [first] = read(body + 8, end)
  if (first === undefined) return []
  const boxes = boxesAt(bytes, first)
  return read(boxes, lastBoxEnd(bytes, boxes, first.end))
}

function boxesAt(bytes: Buffer, { name, start, body, end }: Box): number {
  if (body !== start + 8 || end - start < SOUND_BYTES) throw damaged()
  const at = start + (PICTURE.includes(name) ? PICTURE_BYTES : soundBytes(bytes, start))
  if (at > end) throw damaged()
  return at
}

/** QuickTime has versions 1 and 2 of a sound description, with more fields. */
function soundBytes(bytes: Buffer, start: number): number {
  const more = [0, 16, 36][bytes.readUInt16BE(start + 16)]
  if (more === undefined) throw damaged()
  return SOUND_BYTES + more
}

/** Some writers end the list of boxes with four zeros, which is too short for a box. */
function lastBoxEnd(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (to - at >= 8 && bytes.readUInt32BE(at) >= 8) at += bytes.readUInt32BE(at)
  return to - at > 0 && to - at < 8 ? at : to
}

/** Samples must be in the file itself. What would follow is the address of another file. */
export function cleanDataReferences({ bytes, out, read }: Copy, { body, end }: Box): void {
  if (end - body < 8) throw damaged()
  bytes.copy(out, body, body, body + 8)
  for (const reference of read(body + 8, end)) {
    const isInside = reference.end - reference.body >= 4 && (bytes[reference.body + 3]! & 1) === 1
    if (!isInside)
      throw new FileRefused('has its data in another file: send one file with all of it')
    bytes.copy(out, reference.start, reference.start, reference.body + 4)
  }
}
