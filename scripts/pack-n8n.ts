/**
 * Packs the n8n node. n8n allows no dependencies and loads CommonJS, so our own code that the node imports is bundled;
 * only `n8n-workflow` and Node's own modules stay imports.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const ROOT = path.join(import.meta.dirname, '..')
const FROM = path.join(ROOT, 'n8n')
const run = promisify(execFile)

/** Returns the path of the tarball. */
export async function packN8n({ out }: { out: string }): Promise<string> {
  const stage = await mkdtemp(path.join(os.tmpdir(), 'legwork-pack-n8n-'))
  try {
    const manifest = JSON.parse(await readFile(path.join(FROM, 'package.json'), 'utf8')) as {
      n8n: { nodes: string[]; credentials: string[] }
    }
    for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
      await bundle(file, stage)
    await writeFile(
      path.join(stage, 'package.json'),
      `${JSON.stringify({ ...manifest, type: 'commonjs', devDependencies: undefined }, null, 2)}\n`,
    )
    await cp(path.join(FROM, 'icons'), path.join(stage, 'dist/icons'), { recursive: true })
    await cp(path.join(FROM, 'README.md'), path.join(stage, 'README.md'))
    await cp(path.join(ROOT, 'LICENSE'), path.join(stage, 'LICENSE'))
    await mkdir(out, { recursive: true })
    const args = ['pack', '--json', '--pack-destination', path.resolve(out)]
    const { stdout } = await run('npm', args, { cwd: stage })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    return path.join(path.resolve(out), path.basename(filename))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

/** `dist/nodes/x.js` is built from `nodes/x.ts`. */
async function bundle(file: string, stage: string): Promise<void> {
  const source = file.replace(/^dist\/(.*)\.js$/, '$1.ts')
  const build = await rolldown({
    input: path.join(FROM, source),
    external: ['n8n-workflow', 'node:crypto'],
    logLevel: 'warn',
  })
  await build.write({ file: path.join(stage, file), format: 'cjs', codeSplitting: false })
  await build.close()
}
