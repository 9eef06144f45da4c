/** Stores files in a bucket of Amazon S3 or an S3-compatible server. */
import { randomUUID } from 'node:crypto'
import { createReadStream, mkdtempSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { FormIntake, Store } from './store.ts'

export interface S3Options {
  bucket: string
  region: string
  endpoint: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** A request fails after this long without a byte from the bucket. */
  silenceMaxMs?: number
}

export function openS3Store(options: S3Options): Store {
  const { bucket } = options
  const client = openClient(options)
  let folder: string | undefined

  return {
    name: 'bucket',
    origin: originOf(client, options),

    incoming: {
      by: 'form',
      presignedForm: (key, upload) => presignForm(client, { bucket, key, ...upload }),
    },

    async put(key, file, { contentType, sha256 }) {
      const stream = createReadStream(file)
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: stream,
          ContentLength: (await stat(file)).size,
          ContentType: contentType,
          ChecksumAlgorithm: 'SHA256',
          ChecksumSHA256: inBase64(sha256),
        }),
      )
      await rm(file, { force: true })
    },

    async read(key, range) {
      const answer = await client
        .send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        )
        .catch(absent)
      if (answer === undefined) return undefined
      const whole = answer.ContentRange?.split('/')[1]
      return { stream: answer.Body as Readable, bytes: Number(whole ?? answer.ContentLength) }
    },

    async size(key) {
      const answer = await client
        .send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
        .catch(absent)
      return answer?.ContentLength
    },

    link: (key, { contentType, fileName, now, expiresAt }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: key,
          ResponseContentType: contentType,
          ResponseContentDisposition: `inline; filename="${fileName}"`,
        }),
        { expiresIn: secondsBetween(now, expiresAt) },
      ),

    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },

    workFile(name) {
      folder ??= mkdtempSync(path.join(os.tmpdir(), 'legwork-work-'))
      return path.join(folder, `${name}-${randomUUID()}`)
    },

    async close() {
      client.destroy()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function openClient({ region, endpoint, credentials, silenceMaxMs = 10_000 }: S3Options): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 2,
    // The SDK's warnings would be non-JSON lines in the log. We log failed requests ourselves.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: {
      connectionTimeout: Math.min(3000, silenceMaxMs),
      socketTimeout: silenceMaxMs,
    },
    // We send our own SHA-256. Not every server supports the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

type FormOptions = Parameters<FormIntake['presignedForm']>[1] & { bucket: string; key: string }

async function presignForm(
  client: S3Client,
  { bucket, key, contentType, bytes, sha256, now, expiresAt }: FormOptions,
) {
  const checksum = { 'x-amz-checksum-sha256': inBase64(sha256) }
  const fields = {
    'Content-Type': contentType,
    'x-amz-checksum-algorithm': 'SHA256',
    ...checksum,
  }
  return createPresignedPost(client, {
    Bucket: bucket,
    Key: key,
    Expires: secondsBetween(now, expiresAt),
    Fields: fields,
    Conditions: [
      ['content-length-range', bytes, bytes],
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
    ],
  })
}

/** Uses the SDK's rules, because the bucket is usually but not always part of the host name. */
function originOf(
  client: S3Client,
  { bucket, region, endpoint }: Pick<S3Options, 'bucket' | 'region' | 'endpoint'>,
): string {
  if (endpoint !== undefined) return new URL(endpoint).origin
  return client.config.endpointProvider({ Bucket: bucket, Region: region }).url.origin
}

const inBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const secondsBetween = (from: Date, to: Date) =>
  Math.max(1, Math.floor((to.getTime() - from.getTime()) / 1000))

function absent(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return
  throw error
}
