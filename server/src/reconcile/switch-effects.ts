/** Describes for operators what each switch stops and what keeps working. */
import type { SwitchName } from '../kit/switches.ts'

const TASKS_GO_ON =
  'Tasks of this type that exist are accepted, done and paid. Test mode creates new ones.'

export const SWITCH_STOPS: Readonly<Record<SwitchName, string>> = {
  free_tasks: 'free tasks; the wallet pays instead',
  payouts: 'new payouts to workers; those already sent are completed',
  refunds: 'refunds to agents; those already sent are completed',
  withdrawals: 'withdrawals of our own money',
  registrations: 'the registration of agents, test agents and workers',
  tasks_verification: 'new tasks of the type verification',
  tasks_voice_proxy: 'new tasks of the type voice_proxy',
  tasks_gut_check: 'new tasks of the type gut_check',
  tasks_field_mission: 'new tasks of the type field_mission',
  tasks_empathy_escalation: 'new tasks of the type empathy_escalation',
  tasks_vibe_reader: 'new tasks of the type vibe_reader',
  tasks_custom: 'new tasks of the type custom',
  read_only: 'every request that would change something; timers and jobs go on',
}

/** A sentence about what keeps working while the switch is off. */
export const SWITCH_GOES_ON: Readonly<Record<SwitchName, string>> = {
  free_tasks:
    'Agents create tasks that their wallets pay for. Free tasks that exist are done and paid.',
  payouts:
    'Work is approved and earned as always. Pay waits and is sent once the switch is on again; a ' +
    'payout that is being sent arrives.',
  refunds: 'Agents ask for refunds, which wait until the switch is on again.',
  withdrawals: 'Everything else: only our own withdrawals stop.',
  registrations: 'Everything of existing accounts: logging in, key rotation, confirming an email.',
  tasks_verification: TASKS_GO_ON,
  tasks_voice_proxy: TASKS_GO_ON,
  tasks_gut_check: TASKS_GO_ON,
  tasks_field_mission: TASKS_GO_ON,
  tasks_empathy_escalation: TASKS_GO_ON,
  tasks_vibe_reader: TASKS_GO_ON,
  tasks_custom: TASKS_GO_ON,
  read_only:
    'Reading, logging in and out, the processor’s notifications, the desk, timers and jobs: silent ' +
    'agents approve, workers are paid, and deadlines pass.',
}
