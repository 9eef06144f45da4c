/**
 * `npm run pack [folder]`: builds the packages as npm publishes them, one tarball each, in packs/ or in that folder,
 * and the wheel and the source distribution of the Python SDK if the tools for them are installed (scripts/python.ts).
 *
 * In the repository, a package's exports are its TypeScript sources, which Node runs directly. The published package
 * contains JavaScript with declarations, so its manifest is rewritten: every `./src/x.ts` becomes the `./dist/x.js`
 * that tsc emitted.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSdk, openPython, type Python } from './python.ts'
import { packN8n } from './pack-n8n.ts'

const ROOT = path.join(import.meta.dirname, '..')
const run = promisify(execFile)

type Name = '@legwork/sdk' | '@legwork/cli' | '@legwork/mcp' | '@legwork/adapters'

interface Published {
  name: Name
  folder: string
  /** Each part is compiled separately: the core of the SDK must compile without Node's types. */
  parts: { files: string[]; options: object }[]
}

const FOR_NODE = { module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] }
/** Same as in sdk/tsconfig.json. */
const FOR_ALL = {
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  lib: ['es2023', 'dom', 'dom.iterable'],
}

/** In dependency order. */
const PACKAGES: Published[] = [
  {
    name: '@legwork/sdk',
    folder: 'sdk',
    parts: [
      { files: ['src/files.ts'], options: FOR_NODE },
      { files: ['src/legwork.ts', 'src/worker.ts', 'src/no-files.ts'], options: FOR_ALL },
    ],
  },
  {
    name: '@legwork/cli',
    folder: 'cli',
    parts: [{ files: ['src/main.ts'], options: FOR_NODE }],
  },
  {
    name: '@legwork/mcp',
    folder: 'mcp',
    parts: [{ files: ['src/server.ts', 'src/toolbox.ts', 'src/main.ts'], options: FOR_NODE }],
  },
  {
    name: '@legwork/adapters',
    folder: 'adapters',
    parts: [
      {
        files: ['src/ai-sdk.ts', 'src/openai-agents.ts', 'src/langgraph.ts'],
        options: FOR_NODE,
      },
    ],
  },
]

/** Packs all of them into a folder; returns the path of each tarball. */
export async function packAll({ out }: { out: string }): Promise<Record<Name, string>> {
  const stage = await mkdtemp(path.join(os.tmpdir(), 'legwork-pack-'))
  try {
    await mkdir(out, { recursive: true })
    const tarballs: [Name, string][] = []
    for (const published of PACKAGES) {
      await compile(published, stage)
      tarballs.push([published.name, await pack(published, { stage, out })])
    }
    return Object.fromEntries(tarballs) as Record<Name, string>
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

async function packPython(python: Python, out: string): Promise<string[]> {
  try {
    const built = Object.values(await buildSdk(python))
    for (const name of built) await cp(path.join(python.folder, 'dist', name), path.join(out, name))
    return built.map((name) => path.join(out, name))
  } finally {
    await python.close()
  }
}

async function compile({ folder, parts }: Published, stage: string): Promise<void> {
  const outDir = path.join(stage, folder, 'dist')
  for (const [i, { files, options }] of parts.entries()) {
    const project = path.join(stage, `${folder}-${i}.json`)
    const config = {
      extends: path.join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        target: 'es2022',
        // What Node 20 supports.
        lib: ['es2023', 'es2024.string'],
        typeRoots: [path.join(ROOT, 'node_modules/@types')],
        noEmit: false,
        noEmitOnError: true,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        rootDir: path.join(ROOT, folder, 'src'),
        outDir,
        // Resolves to what the package will find installed, instead of the repository's sources.
        paths: {
          '@legwork/sdk': [path.join(stage, 'sdk/dist/legwork.d.ts')],
          '@legwork/sdk/worker': [path.join(stage, 'sdk/dist/worker.d.ts')],
          '@legwork/sdk/node': [path.join(stage, 'sdk/dist/files.d.ts')],
          '@legwork/mcp/tools': [path.join(stage, 'mcp/dist/toolbox.d.ts')],
        },
        ...options,
      },
      include: [],
      files: files.map((file) => path.join(ROOT, folder, file)),
    }
    await writeFile(project, JSON.stringify(config))
    await tool('tsc', ['-p', project])
  }
  // tsc rewrites import paths in the JavaScript it emits, but not in declarations.
  for (const name of await readdir(outDir, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const file = path.join(outDir, name)
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'),
    )
  }
}

interface Manifest {
  name: Name
  version: string
  dependencies?: Record<string, string>
  exports?: Record<string, string>
  bin?: Record<string, string>
  imports?: Record<string, Record<string, string>>
}

async function pack(
  { folder }: Published,
  { stage, out }: { stage: string; out: string },
): Promise<string> {
  const from = path.join(ROOT, folder)
  const to = path.join(stage, folder)
  const manifest = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8')) as Manifest
  const published = {
    ...manifest,
    ...(manifest.imports && {
      imports: mapped(manifest.imports, (conditions) => mapped(conditions, built)),
    }),
    ...(manifest.exports && {
      exports: mapped(manifest.exports, (source) => ({
        types: built(source).replace(/\.js$/, '.d.ts'),
        default: built(source),
      })),
    }),
    ...(manifest.bin && { bin: mapped(manifest.bin, built) }),
    files: ['dist'],
  }
  await writeFile(path.join(to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await cp(path.join(from, 'README.md'), path.join(to, 'README.md'))
  await cp(path.join(ROOT, 'LICENSE'), path.join(to, 'LICENSE'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', path.resolve(out)], {
    cwd: to,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return path.join(path.resolve(out), path.basename(filename))
}

/** `./src/legwork.ts` → `./dist/legwork.js`. */
const built = (source: string) => source.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1.js')

function mapped<Value, To>(
  record: Record<string, Value>,
  change: (value: Value) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

async function tool(name: string, args: string[]): Promise<void> {
  try {
    await run(path.join(ROOT, 'node_modules/.bin', name), args, { cwd: ROOT })
  } catch (error) {
    // The tool prints its message to stdout; the rest of the error repeats it.
    const { stdout } = error as { stdout?: string }
    throw stdout ? new Error(stdout) : error
  }
}

if (import.meta.main) {
  const [out = path.join(ROOT, 'packs'), ...more] = process.argv.slice(2)
  if (out.startsWith('-') || more.length > 0) {
    console.error('npm run pack [folder]')
    process.exit(2)
  }
  for (const [name, file] of Object.entries(await packAll({ out })))
    console.log(`${name}  ${path.relative(process.cwd(), file)}`)
  const python = await openPython().catch((error: Error) => error.message)
  if (typeof python === 'string') console.log(`legwork for Python is not built: ${python}`)
  else
    for (const file of await packPython(python, out))
      console.log(`legwork  ${path.relative(process.cwd(), file)}`)
  console.log(`n8n-nodes-legwork  ${path.relative(process.cwd(), await packN8n({ out }))}`)
}
