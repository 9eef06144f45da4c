/**
 * The media process: opens untrusted files, one at a time. It isolates decoder crashes and exploits from the server's
 * secrets, memory and CPU time. The parent kills it when it uses too much memory or time.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { type Cleaned, cleanImage } from './clean-image.ts'
import { cleanMedia } from './clean-media.ts'
import { FileRefused } from './refused.ts'
import { assertKind, type Kind, sniff } from './sniff.ts'

export interface Order {
  file: string
  output: string
  kind: Kind
}

export type Outcome = Omit<Cleaned, 'bytes'>
export type Report = { isReady: true } | ({ cpuMs: number } & Result)
type Result =
  | { outcome: Outcome }
  | { refused: string }
  | { diskError: string; message: string }
  | { defect: string }

process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => {
  const before = process.cpuUsage()
  const report = (result: Result) => {
    const { user, system } = process.cpuUsage(before)
    process.send?.({ ...result, cpuMs: (user + system) / 1000 })
  }
  clean(order).then(
    (outcome) => report({ outcome }),
    (error: unknown) => report(describe(error)),
  )
})
process.send?.({ isReady: true })

function describe(error: unknown): Result {
  if (error instanceof FileRefused) return { refused: error.message }
  if (!(error instanceof Error)) return { defect: String(error) }
  const { code, errno, message, stack } = error as NodeJS.ErrnoException
  return code !== undefined && errno !== undefined
    ? { diskError: code, message }
    : { defect: String(stack) }
}

async function clean({ file, output, kind }: Order): Promise<Outcome> {
  const input = await readFile(file)
  const form = await sniff(input, kind)
  const isImage = form === 'jpeg' || form === 'png' || form === 'webp' || form === 'gif'
  if (isImage) assertKind('photo', kind)
  const { bytes, ...outcome } = isImage ? await cleanImage(input) : cleanMedia(input, form)
  assertKind(outcome.kind, kind)
  await writeFile(output, bytes)
  return outcome
}
