import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const BLOCK_BYTES = 4096

/** A small, separate file system that fills up quickly, so errors come from the kernel. Mounting needs root or sudo. */
export async function mountSmallDisk(bytes: number) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-disk-'))
  const ballast = path.join(folder, 'ballast')
  const asRoot = (program: string, ...args: string[]) =>
    process.getuid?.() === 0
      ? promisify(execFile)(program, args)
      : promisify(execFile)('sudo', ['-n', program, ...args])
  await asRoot('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=777`, 'tmpfs', folder)

  return {
    folder,
    /** Leaves no byte free. */
    async fill(): Promise<void> {
      const file = await open(ballast, 'w')
      try {
        for (;;) await file.write(Buffer.alloc(BLOCK_BYTES))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    async unmount(): Promise<void> {
      await asRoot('umount', '--lazy', folder)
      await rmdir(folder)
    },
  }
}
