/** Detects a file's format from its bytes alone. Its name and declared type are not trusted. */
import { fileTypeFromBuffer } from 'file-type'
import { FileRefused } from './refused.ts'

export const KINDS = ['photo', 'video', 'audio'] as const
export type Kind = (typeof KINDS)[number]

/** The formats that we can parse and clean. */
export type Form = 'jpeg' | 'png' | 'webp' | 'gif' | 'mp4' | 'webm' | 'mp3' | 'wav' | 'ogg'

const FORMS: Record<string, Form> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'audio/mp4': 'mp4',
  'audio/x-m4a': 'mp4',
  'video/x-m4v': 'mp4',
  'video/webm': 'webm',
  'audio/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
}

/** Guards against polyglot files: lenient detection skips leading data, so the signature must be at the very start. */
const BEGINNINGS: Record<Form, (bytes: Buffer) => boolean> = {
  jpeg: (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff,
  png: (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
  webp: (bytes) => isRiff(bytes, 'WEBP'),
  gif: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  mp4: (bytes) => bytes.toString('latin1', 4, 8) === 'ftyp',
  webm: (bytes) => bytes.readUInt32BE(0) === 0x1a45dfa3,
  mp3: (bytes) =>
    bytes.toString('latin1', 0, 3) === 'ID3' || (bytes.readUInt16BE(0) & 0xffe0) === 0xffe0,
  wav: (bytes) => isRiff(bytes, 'WAVE'),
  ogg: (bytes) => bytes.toString('latin1', 0, 4) === 'OggS',
}

/** The content types that a caller may announce. */
export const CONTENT_TYPES: Record<Kind, readonly string[]> = {
  photo: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  video: ['video/mp4', 'video/webm'],
  audio: [
    'audio/mp4',
    'audio/x-m4a',
    'audio/mpeg',
    'audio/wav',
    'audio/x-wav',
    'audio/ogg',
    'audio/webm',
  ],
}

export const SEND_INSTEAD: Record<Kind, string> = {
  photo: 'send a JPEG, PNG, WebP or GIF picture instead',
  video: 'send an MP4 or WebM video instead',
  audio: 'send an M4A, MP3, WAV, Ogg or WebM recording instead',
}

/** Explanations for formats that people mistake for a supported photo or video. */
const NOT_TAKEN: [RegExp, string][] = [
  [
    /^image\/(heic|heif|avif)/,
    'is a HEIC or AVIF picture, which is not supported; on an iPhone, choose Settings > Camera ' +
      '> Formats > Most Compatible',
  ],
  [/^image\/svg|^application\/xml|^text\/html/, 'is a drawing or a page that can contain scripts'],
  [/^application\/pdf/, 'is a PDF document'],
  [/^video\/quicktime/, 'is a QuickTime video'],
  [/^image\//, 'is an unsupported picture format'],
  [/^(video|audio)\//, 'is an unsupported recording format'],
]

export async function sniff(bytes: Buffer, kind: Kind): Promise<Form> {
  const form = await formOf(bytes)
  if (form !== undefined) return form
  const mime = bytes.length === 0 ? undefined : await mimeOf(bytes)
  const what =
    NOT_TAKEN.find(([pattern]) => pattern.test(mime ?? ''))?.[1] ??
    (bytes.length === 0 ? 'is empty' : `is not ${NOUNS[kind]}`)
  throw new FileRefused(`${what}: ${SEND_INSTEAD[kind]}`)
}

const NOUNS: Record<Kind, string> = {
  photo: 'a photo',
  video: 'a video',
  audio: 'an audio recording',
}

export function assertKind(found: Kind, wanted: Kind): void {
  if (found !== wanted) throw new FileRefused(`is ${NOUNS[found]}, not ${NOUNS[wanted]}`)
}

async function formOf(bytes: Buffer): Promise<Form | undefined> {
  if (bytes.length < 12) return undefined
  const form = FORMS[(await mimeOf(bytes))?.split(';')[0] ?? '']
  return form !== undefined && BEGINNINGS[form](bytes) ? form : undefined
}

async function mimeOf(bytes: Buffer): Promise<string | undefined> {
  const mime = (await fileTypeFromBuffer(bytes))?.mime
  if (mime !== undefined) return mime
  return /^\s*(<\?xml|<!doctype|<svg|<html|<script|<!--)/i.test(bytes.toString('latin1', 0, 256))
    ? 'text/html'
    : undefined
}

function isRiff(bytes: Buffer, form: string): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === form
}
