import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A self-signed certificate for one name, generated on the fly so no private key is stored. */
export function makeCertificate({ name, days = 1 }: { name: string; days?: number }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const commonName = sequence(oid('550403'), der(0x0c, Buffer.from(name)))
  const issuer = sequence(der(0x31, commonName))
  const now = Date.now()
  const end = now + days * 86_400_000
  const names = sequence(der(0x82, Buffer.from(name)))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer,
    sequence(time(Math.min(now, end) - 3_600_000), time(end)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, names)))),
  )
  const signature = sign('sha256', signed, privateKey)
  const certificate = sequence(
    signed,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), signature])),
  )
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`))
