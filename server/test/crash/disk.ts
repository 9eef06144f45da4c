/**
 * A disk of its own: an ext4 file system in a file, on a loop device. Its power can be cut: everything that was written
 * but not flushed is gone, as on a real disk. Needs root, loop devices and mkfs.ext4.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BALLAST_BYTES = 1_048_576
const UNMOUNT_TRIES = 100

/**
 * FS_IOC_SHUTDOWN with NOLOGFLUSH: the file system stops at once, and neither its dirty pages nor its journal reach the
 * disk. Perl is part of every Debian.
 */
const CUT = `
  open(my $folder, '<', $ARGV[0]) or die "$ARGV[0]: $!";
  my $flags = pack('L', 2);
  ioctl($folder, 0x8004587d, $flags) or die "FS_IOC_SHUTDOWN: $!";`

export type Disk = Awaited<ReturnType<typeof openDisk>>

/** Refuses on a machine where it can't work: a test that is skipped there would prove nothing. */
export async function openDisk(megabytes: number) {
  if (process.getuid?.() !== 0) throw new Error('a test disk needs root, to mount a loop device')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-loop-'))
  const image = path.join(folder, 'image')
  const mountpoint = path.join(folder, 'disk')
  // PostgreSQL runs as another user, and must be able to enter.
  await run('chmod', ['755', folder])
  await run('truncate', ['-s', `${megabytes}M`, image])
  await run('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  await run('mkdir', [mountpoint])
  const device = await attach(image)
  await run('mount', [device, mountpoint])
  const forgo = removeWithParent({ mountpoint, device, folder })
  const ballast = path.join(mountpoint, 'ballast')

  return {
    folder: mountpoint,

    /** Afterwards nobody can read or write there, until `repower`. */
    cutPower: () => run('perl', ['-e', CUT, mountpoint]),

    /** Mounts it again, with what had reached the disk. Every process that uses it must have ended. */
    async repower(): Promise<void> {
      await unmount(mountpoint)
      await run('mount', [device, mountpoint])
    },

    /** Leaves less than a page free. */
    async fill(): Promise<void> {
      const file = await open(ballast, 'a')
      try {
        for (let size = BALLAST_BYTES; size >= 512; size /= 2) while (await fits(file, size));
        await file.sync()
      } finally {
        await file.close()
      }
    },
    freeSpace: () => rm(ballast, { force: true }),
    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(mountpoint)
      return bavail * bsize
    },

    async remove(): Promise<void> {
      await unmount(mountpoint)
      await run('losetup', ['-d', device])
      await rm(folder, { recursive: true })
      forgo()
    },
  }
}

/** Removes the disk when this process ends for any reason: a shell sees its pipe close. */
function removeWithParent(disk: {
  mountpoint: string
  device: string
  folder: string
}): () => void {
  const script = `
    read -r _ && exit
    sleep 2
    umount -l "$1"
    losetup -d "$2"
    rm -rf "$3"`
  const guard = spawn('/bin/sh', ['-c', script, 'sh', disk.mountpoint, disk.device, disk.folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The guard itself may be killed first.
  guard.stdin.on('error', () => {})
  guard.unref()
  return () => guard.stdin.end('removed\n')
}

async function attach(image: string): Promise<string> {
  try {
    return (await run('losetup', ['--find', '--show', image])).stdout.trim()
  } catch (error) {
    throw new Error('this kernel or container has no loop device to test power cuts with', {
      cause: error,
    })
  }
}

async function fits(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  try {
    await file.write(Buffer.alloc(size))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}

/** A process that was killed may need a moment to let go of its files. */
async function unmount(mountpoint: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await run('umount', [mountpoint])
      return
    } catch (error) {
      if (tries === UNMOUNT_TRIES) throw error
      await sleep(100)
    }
}
