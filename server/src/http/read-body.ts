import type { Readable } from 'node:stream'
import { type ApiError, bodyTimeout, bodyTooLarge, malformedRequest } from '../kit/errors.ts'

const WHOLE_MS = 30_000
const SILENCE_MS = 10_000

/** Guards the part of a body above this many bytes: that part is read only after `open` resolves. */
export interface Gate {
  aboveBytes: number
  open(): Promise<void>
}

export interface ReadBody {
  limitBytes: number
  /** From the Content-Length header; the bytes that arrive are counted anyway. */
  announcedBytes: number
  /** In ascending order of `aboveBytes`. */
  gates: Gate[]
  /** Timeouts for the whole body and for the next chunk. */
  wholeMs?: number
  silenceMs?: number
  /** Inspects each chunk as it arrives, and may refuse it. */
  check?(chunk: Buffer): ApiError | undefined
}

/**
 * Reads a body into memory. On the first reason to refuse it, reading stops and the buffered bytes are dropped. The
 * stream stays open for the response.
 */
export async function readBody(
  source: Readable,
  {
    limitBytes,
    announcedBytes,
    gates,
    wholeMs = WHOLE_MS,
    silenceMs = SILENCE_MS,
    check,
  }: ReadBody,
): Promise<Buffer> {
  if (announcedBytes > limitBytes) throw bodyTooLarge({ limit_bytes: limitBytes })
  const closed = [...gates]
  const isBehind = (bytes: number) => closed.length > 0 && bytes > closed[0]!.aboveBytes
  const passGates = async (bytes: number) => {
    while (isBehind(bytes)) await closed.shift()!.open()
  }
  await passGates(announcedBytes)

  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let bytes = 0
    const whole = setTimeout(() => end(bodyTimeout()), wholeMs)
    const silence = setTimeout(() => end(bodyTimeout()), silenceMs)
    source.on('data', onData).once('end', onEnd).once('error', onLost).once('close', onLost)
    if (source.destroyed) onLost()

    function onData(chunk: Buffer): void {
      bytes += chunk.length
      silence.refresh()
      const refusal =
        bytes > limitBytes ? bodyTooLarge({ limit_bytes: limitBytes }) : check?.(chunk)
      if (refusal) return end(refusal)
      chunks.push(chunk)
      if (!isBehind(bytes)) return
      source.pause()
      passGates(bytes).then(() => source.resume(), end)
    }
    function onEnd(): void {
      end(undefined)
    }
    function onLost(): void {
      end(malformedRequest())
    }
    function end(error: unknown): void {
      clearTimeout(whole)
      clearTimeout(silence)
      source.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
      if (error === undefined) return resolve(Buffer.concat(chunks, bytes))
      chunks = []
      source.pause()
      // A stream without an error listener throws.
      source.on('error', () => {})
      reject(error as Error)
    }
  })
}
