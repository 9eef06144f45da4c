/** Signed links to files that this server serves. A link gives read access to one file until it expires. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Links = ReturnType<typeof openLinks>

/** The first key signs, all verify. Without keys, links are valid in this process only. */
export function openLinks({ keys, base }: { keys: readonly string[]; base: string }) {
  const ring = keys.length > 0 ? keys : [randomBytes(32)]
  const signature = (key: string | Buffer, fileId: string, expires: number) =>
    createHmac('sha256', key).update(`legwork file\n${fileId}\n${expires}`).digest()

  return {
    sign(fileId: string, expiresAt: Date): string {
      const expires = Math.floor(expiresAt.getTime() / 1000)
      const signed = signature(ring[0]!, fileId, expires).toString('base64url')
      return `${base}/api/v1/files/${fileId}?expires=${expires}&signature=${signed}`
    },

    holds(link: { fileId: string; expires: number; signature: string }, now: Date): boolean {
      const given = Buffer.from(link.signature, 'base64url')
      const isRight = ring.some((key) => {
        const right = signature(key, link.fileId, link.expires)
        return given.length === right.length && timingSafeEqual(given, right)
      })
      return isRight && link.expires * 1000 > now.getTime()
    },
  }
}
