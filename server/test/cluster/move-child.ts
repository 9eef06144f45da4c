/** Runs one command of a move in a process of its own, which kills itself at the step that it was given. */
import { schemasOf } from '../../src/kit/layout.ts'
import { migrateElsewhere } from '../../src/migrate.ts'
import { finishMove, type Move, moveSchema, undoMove } from '../../src/shards/move-schema.ts'

const COMMANDS = { move: moveSchema, undo: undoMove, finish: finishMove }

export interface ChildOrder extends Pick<Move, 'source' | 'target' | 'main'> {
  schema: string
  command: keyof typeof COMMANDS
  killedAt: string
}

const { command, schema, killedAt, ...places } = JSON.parse(process.argv[2]!) as ChildOrder
const home = schemasOf(16).find(({ name }) => name === schema)!
await COMMANDS[command]({
  ...places,
  schema: home,
  addSchema: (url) => migrateElsewhere(url, home, { log: { info() {} } }),
  onProgress() {},
  async onStep(step) {
    if (step === killedAt) process.kill(process.pid, 'SIGKILL')
  },
})
