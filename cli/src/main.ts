#!/usr/bin/env node
/** `legwork COMMAND …`: finds the command, runs it, and sets the exit code. */
import { readFileSync } from 'node:fs'
import { Legwork } from '@legwork/sdk'
import type { Command, Surroundings } from './command.ts'
import { commands } from './commands.ts'
import { readEnvFile } from './env-file.ts'
import { EXIT, type ExitCode, usage } from './exit.ts'
import { helpFor, helpForAll } from './help.ts'
import { openPrint, type Print } from './print.ts'
import { tellProblem } from './problems.ts'

const { argv, env, stdin, stdout, stderr } = process
/** The name that the user ran this program by, so that suggested commands can be copied. */
const SELF = env.npm_command === 'exec' ? 'npx @legwork/cli' : 'legwork'

// The reader closed the pipe early: `legwork tasks | head -1`.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await main(argv.slice(2))

async function main(args: string[]): Promise<ExitCode> {
  const isJson = args.includes('--json')
  const print = openPrint({ stdout, stderr, isJson, self: SELF, environment: env })
  try {
    return await run(args, print)
  } catch (error) {
    return tellProblem(error, print)
  }
}

async function run(args: string[], print: Print): Promise<ExitCode> {
  const [name = 'help', ...rest] = args.filter((arg) => arg !== '--json')
  if (name === '--version' || name === '-v') {
    print.step({ type: 'version', version: version() }, version())
    return EXIT.done
  }
  const isHelp = name === 'help' || name === '--help' || name === '-h'
  const wanted = isHelp ? rest[0] : name
  const found = wanted === undefined ? undefined : find(wanted)
  if (isHelp || rest.includes('--help') || rest.includes('-h')) {
    const lines = found === undefined ? helpForAll(commands, print) : helpFor(found, print)
    print.step({ type: 'help', text: lines.join('\n') }, ...lines)
    return EXIT.done
  }
  return found!.start(rest, surroundings(print))
}

function find(name: string): Command {
  const found = commands.find((command) => command.name === name)
  if (found) return found
  throw usage(`Unknown command ${name}`, 'Run help to list all commands.')
}

function surroundings(print: Print): Surroundings {
  const folder = process.cwd()
  const file = readEnvFile(folder)
  const apiKey = env.LEGWORK_API_KEY || file.LEGWORK_API_KEY
  // Never send a key from the shell to a URL that is set only in this folder's file: the folder may be untrusted.
  const baseUrl = env.LEGWORK_URL || (env.LEGWORK_API_KEY ? undefined : file.LEGWORK_URL)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  return {
    print,
    folder,
    baseUrl,
    apiKey,
    environment: env,
    stdin,
    signal: stop.signal,
    legwork() {
      if (apiKey === undefined)
        throw usage(
          'No API key. Set LEGWORK_API_KEY, or add it to .env.local',
          `To create a test key without an account: ${print.self} init`,
        )
      const userAgent = `legwork-cli/${version()}`
      return new Legwork({ apiKey, userAgent, ...(baseUrl === undefined ? {} : { baseUrl }) })
    },
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
