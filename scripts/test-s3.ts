/**
 * `npm run test:s3`: runs the file store's tests against a real S3 server, which is slow to start and not installed on
 * every machine: apt-get install ceph-mon ceph-osd radosgw ceph-common
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { startCeph } from './ceph.ts'

const ROOT = path.join(import.meta.dirname, '..')

const began = performance.now()
const ceph = await startCeph()
console.log(`Ceph was ready after ${Math.round((performance.now() - began) / 1000)} s`)
try {
  const child = spawn(
    process.execPath,
    ['scripts/test.ts', 'server/src/files/store.test.ts', ...process.argv.slice(2)],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_S3_ENDPOINT: ceph.endpoint,
        TEST_S3_ACCESS_KEY_ID: ceph.accessKeyId,
        TEST_S3_SECRET_ACCESS_KEY: ceph.secretAccessKey,
      },
    },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await ceph.stop()
}
