import type { Readable } from 'node:stream'

/**
 * Where the bytes of files are. A file has two places, named by the server from its id alone: what came in, as it was
 * sent, and what is kept of it. So whoever removes a file knows both without having noted either.
 */
export interface Store {
  readonly name: 'folder' | 'bucket'
  readonly incoming: FormIntake | ResumableIntake
  /** Where browsers read and send, if not at this server. */
  readonly origin?: string
  /** Once it returns, neither a crash nor a power cut loses it. `file` may be moved away. */
  put(key: string, file: string, about: { contentType: string; sha256: string }): Promise<void>
  /** Undefined when there is none. */
  read(key: string, range?: Range): Promise<Stored | undefined>
  size(key: string): Promise<number | undefined>
  /** Undefined when the store makes no links itself: then the server serves the file. */
  link(key: string, about: LinkOptions): Promise<string | undefined>
  remove(key: string): Promise<void>
  /** A file of its own, for what is being worked on; on the same disk as the store, where there is one. */
  workFile(name: string): string
  close(): Promise<void>
}

/** From `start` up to and including `end`. */
export interface Range {
  start: number
  end: number
}

export interface Stored {
  stream: Readable
  /** Of the whole file, whatever part of it the stream has. */
  bytes: number
}

export interface LinkOptions {
  contentType: string
  fileName: string
  now: Date
  expiresAt: Date
}

/** The caller sends the bytes past us, by a form that the store checks. */
export interface FormIntake {
  by: 'form'
  presignedForm(
    key: string,
    about: { contentType: string; bytes: number; sha256: string; now: Date; expiresAt: Date },
  ): Promise<{ url: string; fields: Record<string, string> }>
}

/** The caller sends the bytes to us, in as many pieces as its connection makes of them. */
export interface ResumableIntake {
  by: 'server'
  /** How much is there. */
  offset(key: string): Promise<number>
  append(
    key: string,
    piece: { offset: number; bytes: Readable; bytesMax: number },
  ): Promise<Appended>
}

export type Appended =
  | { outcome: 'wrong offset'; offset: number }
  | { outcome: 'busy' }
  /** `cut off`: more came than may; `broken`: less came than was meant. What arrived is kept either way. */
  | { outcome: 'whole' | 'cut off' | 'broken'; offset: number }

export const incomingKey = (fileId: string) => `incoming/${fileId}`
export const readyKey = (fileId: string) => `ready/${fileId.slice(-2)}/${fileId}`
/** Where the bytes of a file are: its own, or those of a sample that several share. */
export const keyOf = ({ id, store_key }: { id: string; store_key: string | null }) =>
  store_key ?? readyKey(id)
