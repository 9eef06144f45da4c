import type { Readable } from 'node:stream'

/**
 * Stores the bytes of files. A file has two keys, both derived from its id alone: the incoming original and the cleaned
 * version that is kept. So a file can be removed without having recorded its keys.
 */
export interface Store {
  readonly name: 'folder' | 'bucket'
  readonly incoming: FormIntake | ResumableIntake
  /** The origin that browsers read from and upload to, if not this server. */
  readonly origin?: string
  /** Durable once it returns, even after a crash or power loss. May move `file` away. */
  put(key: string, file: string, about: { contentType: string; sha256: string }): Promise<void>
  /** Returns undefined if there is no such file. */
  read(key: string, range?: Range): Promise<Stored | undefined>
  size(key: string): Promise<number | undefined>
  /** Returns undefined if the store can't create links; the server then serves the file. */
  link(key: string, about: LinkOptions): Promise<string | undefined>
  remove(key: string): Promise<void>
  /** A unique path for a work file, on the same disk as the store if the store is a folder. */
  workFile(name: string): string
  close(): Promise<void>
}

/** `end` is inclusive. */
export interface Range {
  start: number
  end: number
}

export interface Stored {
  stream: Readable
  /** Size of the whole file, even if the stream has only a range. */
  bytes: number
}

export interface LinkOptions {
  contentType: string
  fileName: string
  now: Date
  expiresAt: Date
}

/** The caller sends the bytes directly to the store, with a presigned form that the store verifies. */
export interface FormIntake {
  by: 'form'
  presignedForm(
    key: string,
    about: { contentType: string; bytes: number; sha256: string; now: Date; expiresAt: Date },
  ): Promise<{ url: string; fields: Record<string, string> }>
}

/** The caller sends the bytes to us and can resume after a broken connection. */
export interface ResumableIntake {
  by: 'server'
  /** Number of bytes received so far. */
  offset(key: string): Promise<number>
  append(
    key: string,
    piece: { offset: number; bytes: Readable; bytesMax: number },
  ): Promise<Appended>
}

export type Appended =
  | { outcome: 'wrong offset'; offset: number }
  | { outcome: 'busy' }
  /** `cut off`: more than `bytesMax` arrived; `broken`: the connection broke. Received bytes are kept either way. */
  | { outcome: 'whole' | 'cut off' | 'broken'; offset: number }

export const incomingKey = (fileId: string) => `incoming/${fileId}`
export const readyKey = (fileId: string) => `ready/${fileId.slice(-2)}/${fileId}`
/** The key of a file's bytes: its own, or that of a shared sample. */
export const keyOf = ({ id, store_key }: { id: string; store_key: string | null }) =>
  store_key ?? readyKey(id)
