import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import type { Tried } from '../../test/files/cage-probe.ts'
import { picture } from '../../test/files/corpus.ts'
import { openCage } from './cage.ts'
import { openMedia } from './media.ts'

const PROBE = path.join(import.meta.dirname, '../../test/files/cage-probe.ts')
const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-cage-'))
const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
await once(server, 'listening')
after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
const cage = await openCage()

async function probe(command: string[]): Promise<Tried> {
  const [program, ...args] = [...command, process.execPath]
  const { port } = server.address() as AddressInfo
  const child = fork(PROBE, [String(port), path.join(folder, 'large')], {
    execPath: program!,
    execArgv: args,
    env: {},
  })
  const [tried] = await once(child, 'message')
  return tried as Tried
}

describe('the cage of the media process', { skip: process.platform !== 'linux' }, () => {
  test('without it, a file that took over the process has all of it', async () => {
    const tried = await probe([])

    assert.deepEqual(tried, {
      network: 'done',
      environment: 'done',
      memory: 'done',
      largeFile: 'done',
    })
  })

  test('has no network, and no view of the server’s environment and memory', {
    skip: !cage.hasNamespaces && 'this system forbids user namespaces',
  }, async () => {
    const { network, environment, memory } = await probe(cage.command)

    assert.equal(network, 'ENETUNREACH')
    assert.deepEqual([environment, memory], ['EACCES', 'EACCES'])
  })

  test('writes no file that fills the disk', async () => {
    const { largeFile } = await probe(cage.command)

    assert.equal(largeFile, 'EFBIG')
  })

  test('is where the media process runs', {
    skip: !cage.hasNamespaces && 'this system forbids user namespaces',
  }, async () => {
    const media = openMedia({ processes: 1, timeoutMs: 20_000, rssMaxMb: 300 })
    const [file, output] = [path.join(folder, 'photo'), path.join(folder, 'clean')]
    await writeFile(file, await picture(1))
    await media.clean({ file, output, kind: 'photo' })

    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')
    const [pid, ...others] = children.trim().split(' ')
    const networks = await Promise.all(['self', pid].map((id) => readlink(`/proc/${id}/ns/net`)))
    const limits = await readFile(`/proc/${pid}/limits`, 'utf8')
    await media.close()

    assert.deepEqual(others, [])
    assert.notEqual(networks[1], networks[0])
    assert.match(limits, /Max file size +268435456 /)
    assert.match(limits, /Max core file size +0 /)
  })
})
