/** Everything a server needs for files: the store, the media processes and the signed links. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Config } from '../config.ts'
import { publicUrl } from '../kit/public-url.ts'
import { guardedStore } from './guarded-store.ts'
import { type Links, openLinks } from './links.ts'
import { type Media, openMedia } from './media.ts'
import type { Kind } from './sniff.ts'
import type { Store } from './store.ts'
import { openLocalStore } from './store-local.ts'
import { openS3Store } from './store-s3.ts'

export interface Files {
  store: Store
  media: Media
  /** Handles files from test-mode workers, so files from real workers don't wait behind them. */
  testMedia: Media
  links: Links
  config: Config
  close(): Promise<void>
}

const opened = new WeakMap<Config, Files>()

export function filesOf(config: Config): Files {
  const files = opened.get(config) ?? openFiles(config)
  opened.set(config, files)
  return files
}

function openFiles(config: Config): Files {
  const store = openStore(config)
  const limits = { timeoutMs: config.MEDIA_TIMEOUT_MS, rssMaxMb: config.MEDIA_RSS_MAX_MB }
  const media = openMedia({ ...limits, processes: config.MEDIA_PROCESSES })
  const testMedia = openMedia({ ...limits, processes: config.TEST_MEDIA_PROCESSES, isNice: true })
  const links = openLinks({
    keys: config.FILES_LINK_KEY,
    base: config.FILES_URL ?? publicUrl(config),
  })
  return {
    store,
    media,
    testMedia,
    links,
    config,
    async close() {
      await media.close()
      await testMedia.close()
      await store.close()
    },
  }
}

export const maxBytes = (config: Config, kind: Kind) =>
  ({
    photo: config.PHOTO_MAX_BYTES,
    video: config.VIDEO_MAX_BYTES,
    audio: config.AUDIO_MAX_BYTES,
  })[kind]

function openStore(config: Config): Store {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config
  if (S3_BUCKET === undefined)
    return guardedStore(openLocalStore(config.FILES_DIR ?? temporaryFolder()))
  const bucket = openS3Store({
    bucket: S3_BUCKET,
    region: S3_REGION,
    endpoint: S3_ENDPOINT,
    credentials:
      S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined
        ? undefined
        : { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    silenceMaxMs: config.S3_SILENCE_MAX_MS,
  })
  return guardedStore(bucket)
}

let temporary: string | undefined

/** Shared by all servers of this process, as servers on one machine share a folder; deleted when the process exits. */
function temporaryFolder(): string {
  if (temporary !== undefined) return temporary
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-files-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  temporary = folder
  return folder
}
