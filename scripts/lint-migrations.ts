/**
 * Checks that migrations are numbered without gaps, keep money in bigint, and do nothing that would stop a running
 * server: squawk knows which statements lock or break, .squawk.toml selects its rules. lint-released.ts compares them
 * with the last release, and lint-sql.ts finds SQL that not every kind of server runs.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkReleased } from './lint-released.ts'
import { checkSql } from './lint-sql.ts'

const REPOSITORY = path.join(import.meta.dirname, '..')
const FOLDER = 'server/migrations'
const FILE = /^(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/
const CENTS =
  /\b(\w+_cents)"?\s+(?:small|integer|int\d?\b|numeric|decimal|real|double|float|money)/gi

interface Finding {
  file: string
  line: number
  rule_name: string
  message: string
}

export async function checkMigrations(root: string): Promise<string[]> {
  const folder = path.join(root, FOLDER)
  if (!existsSync(folder)) return [`${FOLDER} does not exist`]
  const files = readdirSync(folder)
    .filter((file) => !['README.md', 'released.json'].includes(file))
    .sort()
  const migrations = files.filter((file) => file.endsWith('.sql'))
  return [
    ...checkNames(files),
    ...migrations.flatMap((file) =>
      checkMoney(file, readFileSync(path.join(folder, file), 'utf8')),
    ),
    ...checkReleased(root),
    ...checkSql(root),
    ...(await runSquawk(folder, migrations)),
  ]
}

function checkNames(files: string[]): string[] {
  const numbered = files.filter((file) => FILE.test(file))
  return [
    ...files
      .filter((file) => !FILE.test(file))
      .map((file) => `${FOLDER}/${file}: is not named NNNN_snake_case.sql`),
    ...numbered.flatMap((file, index) => {
      const previous = Number(numbered[index - 1]?.slice(0, 4) ?? 0)
      const number = Number(file.slice(0, 4))
      if (number === previous + 1) return []
      return number === previous
        ? [`${FOLDER}/${file}: the number is taken by ${numbered[index - 1]}`]
        : [`${FOLDER}/${file}: follows ${previous}, so ${previous + 1} is missing`]
    }),
  ]
}

function checkMoney(file: string, text: string): string[] {
  return [...text.matchAll(CENTS)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return `${FOLDER}/${file}:${line}: ${match[1]} must be bigint`
  })
}

async function runSquawk(folder: string, migrations: string[]): Promise<string[]> {
  if (migrations.length === 0) return []
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const config = ['--config', path.join(REPOSITORY, '.squawk.toml'), '--reporter', 'json']
  execFile(
    process.execPath,
    [path.join(REPOSITORY, 'node_modules/.bin/squawk'), ...config, ...migrations],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
    // squawk exits with 1 if it finds something; a run that failed prints no JSON.
    (error, stdout, stderr) =>
      stdout.startsWith('[') ? resolve(stdout) : reject(error ?? new Error(`squawk: ${stderr}`)),
  )
  const findings = JSON.parse(await promise) as Finding[]
  return findings.map(
    (found) => `${FOLDER}/${found.file}:${found.line + 1}: ${found.rule_name}: ${found.message}`,
  )
}

if (import.meta.main) {
  const problems = await checkMigrations(REPOSITORY)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
