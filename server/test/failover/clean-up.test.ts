/** A test process that is killed leaves no process, no network namespace and no folder behind. */
import assert from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { openTree } from '../../../scripts/debian-tree.ts'
import { eventually, kill } from '../jobs-child.ts'
import { openNetwork } from './network.ts'

interface Left {
  folder: string
  namespace: string
  pids: number[]
}

if (process.argv.includes('leave')) {
  // Without a listener it would end by itself.
  process.once('disconnect', () => process.exit())
  const tree = await openTree('leave')
  const { machines } = await openNetwork()
  const { namespace } = machines[0]!
  const children = [
    await tree.start('sleep', ['600']),
    await tree.start('sleep', ['600'], { network: namespace }),
  ]
  const pids = children.map(({ pid }) => pid!)
  process.send!({ folder: tree.folder, namespace, pids } satisfies Left)
} else
  test('a killed test process leaves nothing behind', { timeout: 60_000 }, async (t) => {
    const child = fork(import.meta.filename, ['leave'], { execArgv: [] })
    t.after(() => kill(child))
    const [{ folder, namespace, pids }] = (await once(child, 'message')) as [Left]
    const isThere = () => ({
      folder: existsSync(folder),
      namespace: execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).includes(namespace),
      processes: pids.some((pid) => existsSync(`/proc/${pid}`)),
    })

    const before = isThere()
    await kill(child)
    await eventually('everything is gone', 20_000, async () =>
      Object.values(isThere()).some(Boolean) ? undefined : true,
    )

    assert.deepEqual(before, { folder: true, namespace: true, processes: true })
  })
