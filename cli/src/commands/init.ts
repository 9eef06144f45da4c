/** `init`: creates a test agent and writes its key to .env.local; no account needed. */
import { Legwork } from '@legwork/sdk'
import { command } from '../command.ts'
import { ENV_FILE, ignoreEnvFile, isSeenByGit, readEnvFile, writeEnvFile } from '../env-file.ts'
import { EXIT, usage } from '../exit.ts'
import { dollars, plural } from '../words.ts'

const DAY_MS = 86_400_000
const FIRST_ASK =
  'ask "Is the bakery at Moorweg 12 open?" --photo --where "Moorweg 12, Wedel" --wait'

export const init = command({
  name: 'init',
  takes: '',
  summary: 'Create a test agent without an account, and write its key to .env.local',
  details: [
    '--name NAME   the name of the agent',
    '--force       replace the key in .env.local; you lose access to the old agent',
  ],
  options: { name: { type: 'string' }, force: { type: 'boolean' } },
  words: [0, 0],

  async run({ values, print, folder, baseUrl, environment }) {
    // Checks only the file, not the shell's environment, because only the file would be overwritten.
    if (readEnvFile(folder).LEGWORK_API_KEY !== undefined && !values.force)
      throw usage(
        `${ENV_FILE} already has a LEGWORK_API_KEY. It was not changed`,
        'Run init --force to replace it.',
      )

    const { agent, expires_at, claim_url } = await Legwork.createTestAgent({
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(values.name === undefined ? {} : { name: values.name }),
    })
    // Must run before the key is written; otherwise a commit in between could include it.
    ignoreEnvFile(folder)
    writeEnvFile(folder, {
      LEGWORK_API_KEY: agent.test_api_key,
      LEGWORK_WEBHOOK_SECRET: agent.webhook_secret,
      ...(baseUrl === undefined ? {} : { LEGWORK_URL: baseUrl }),
    })
    const isSeen = isSeenByGit(folder)

    const { id, name, balance_cents, free_tasks_remaining } = agent
    const shown = agent.test_api_key.slice(0, 12)
    const free = plural(free_tasks_remaining, 'free task')
    const left = plural(Math.round((Date.parse(expires_at) - Date.now()) / DAY_MS), 'day')
    print.step(
      {
        type: 'agent',
        agent: { id, name, balance_cents, free_tasks_remaining },
        expires_at,
        claim_url,
        wrote: ENV_FILE,
      },
      `Created a test agent. You don’t need an account. To keep it, claim it within ${left}: ${claim_url}`,
      'To claim it, log in there with the key from .env.local.',
      `Wrote LEGWORK_API_KEY=${shown}… and LEGWORK_WEBHOOK_SECRET to ${ENV_FILE}${isSeen ? '' : ' (ignored by git)'}`,
      `${free} · ${dollars(balance_cents)} of play money · scripted workers are on`,
    )
    if (isSeen)
      print.note(
        print.style('yellow', `git doesn’t ignore ${ENV_FILE}, so your key could be committed.`),
        `If it is tracked, run git rm --cached ${ENV_FILE}. If not, remove its ! line from .gitignore.`,
      )
    if (environment.LEGWORK_API_KEY)
      print.note(`Your shell sets another LEGWORK_API_KEY, which overrides ${ENV_FILE}. Unset it.`)
    print.next('Next', FIRST_ASK)
    return EXIT.done
  },
})
