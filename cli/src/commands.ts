/** All commands, in the order in which help lists them. */
import type { Command } from './command.ts'
import { approve } from './commands/approve.ts'
import { ask } from './commands/ask.ts'
import { cancel } from './commands/cancel.ts'
import { clock } from './commands/clock.ts'
import { deposit } from './commands/deposit.ts'
import { dispute } from './commands/dispute.ts'
import { docs } from './commands/docs.ts'
import { events } from './commands/events.ts'
import { init } from './commands/init.ts'
import { keys } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { proof } from './commands/proof.ts'
import { quote } from './commands/quote.ts'
import { sandbox } from './commands/sandbox.ts'
import { task } from './commands/task.ts'
import { tasks } from './commands/tasks.ts'
import { trigger } from './commands/trigger.ts'
import { wallet } from './commands/wallet.ts'

export const commands: readonly Command[] = [
  init,
  ask,
  tasks,
  task,
  proof,
  approve,
  dispute,
  cancel,
  quote,
  wallet,
  deposit,
  keys,
  listen,
  events,
  trigger,
  clock,
  sandbox,
  docs,
]
