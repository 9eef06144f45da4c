/**
 * Lists the deep tests: those that take minutes, need a browser, or kill processes. `npm run check` skips them; `npm
 * run check:deep` and `.ci/run` run them.
 *
 * `npm test -- --slowest=20` names the slowest of the others. A file that takes eight seconds belongs here.
 */

/**
 * In start order: a run with a deadline leaves out the end. First what an ordinary change breaks, then the screens,
 * then faults, attacks and random orders, which `npm run nightly` plays at length. Each part begins with its longest
 * files.
 */
export const DEEP = [
  // They mostly wait, so they have a process of their own and begin at once.
  'deploy/image.test.ts',
  'deploy/compose.test.ts',
  'server/test/failover',
  'server/test/restore/restore.test.ts',
  'server/test/upgrade/upgrade.test.ts',
  'server/test/rolling/rolling.test.ts',
  'server/test/secrets',

  // The API, the packages and the jobs.
  'server/test/exits',
  'server/test/matrix/matrix.test.ts',
  'server/test/farmer',
  'scripts/quickstart.test.ts',
  'adapters/test',
  'scripts/python.test.ts',
  'scripts/guide.test.ts',
  'mcp/test/tools.test.ts',
  'scripts/dev.test.ts',
  'server/src/moderation/report.test.ts',
  'server/src/reconcile/reconcile.test.ts',
  'cli/test/test-mode.test.ts',
  'server/src/runner/runner.test.ts',
  'mcp/test/injection.test.ts',
  'server/test/attacks/oauth.test.ts',
  'server/test/targets',
  'server/src/http/idempotency.test.ts',
  'scripts/npm-scripts.test.ts',
  'scripts/test.test.ts',
  'server/src/feed/get-feed.test.ts',
  'scripts/story.test.ts',
  'server/src/workers/log-in.test.ts',
  'server/src/payouts/refresh-account.test.ts',
  'server/src/test-mode/erase-agents.test.ts',
  'server/src/payouts/send.test.ts',
  'server/test/ordinary-client.test.ts',
  'cli/test/commands.test.ts',
  'server/test/fuzz/fuzz.test.ts',
  'server/src/files/corpus.test.ts',
  'scripts/on-your-machine.test.ts',
  'scripts/python-faults.test.ts',
  'server/src/workers/settle-trust.test.ts',
  'server/src/stats/quote.test.ts',
  'server/src/email/retry-mails.test.ts',
  'server/src/payouts/reverse.test.ts',
  'server/src/webhooks/deliver.test.ts',
  'server/test/personal-data/erasure.test.ts',
  'server/src/start.test.ts',
  'server/src/payouts/open.test.ts',
  'server/src/ops/commands.test.ts',
  'n8n/test',
  'server/src/consensus/fit-accuracy.test.ts',
  'server/src/files/photo-history.test.ts',
  'scripts/checks.test.ts',
  'server/src/wallet/settle-deposit.test.ts',
  'server/test/foreign-ids.test.ts',
  'server/src/tasks/submit-proof.test.ts',
  'scripts/pack.test.ts',
  'server/src/files/full-store.test.ts',
  'server/src/files/intake.test.ts',
  'server/test/migrations.test.ts',
  'server/src/http/trace-requests.test.ts',
  'server/src/payouts/release.test.ts',
  'server/src/payouts/withdraw.test.ts',
  'server/test/events.test.ts',
  'server/src/http/shedding.test.ts',
  'server/src/reconcile/match.test.ts',
  'server/src/wallet/send-refund.test.ts',
  'server/src/http/limiter-redis.test.ts',
  'server/src/payouts/settle-transfer.test.ts',
  'server/src/http/bodies.test.ts',
  'server/test/screening/train.test.ts',
  'server/src/runner/schedules.test.ts',
  'server/src/tasks/expire.test.ts',
  'server/test/matrix/routes.test.ts',
  'server/src/http/test-mode.test.ts',
  'cli/test/listen.test.ts',
  'server/src/workers/shut-out.test.ts',
  'server/src/workers/get-leaderboard.test.ts',
  'server/src/notices/notify-task.test.ts',
  'server/src/workers/begin-session.test.ts',
  'server/src/webhooks/list-events.test.ts',
  'server/src/payouts/decide-hold.test.ts',
  'sdk/test/examples.test.ts',
  'server/src/wallet/settle-refund.test.ts',
  'scripts/api-clients.test.ts',
  'server/src/runner/relay.test.ts',
  'mcp/test/personas.test.ts',
  'sdk/test/personas.test.ts',
  'scripts/webhooks-python.test.ts',
  'server/src/webhooks/lanes.test.ts',
  'server/src/workers/get-trust.test.ts',
  'server/src/decisions/choices.test.ts',

  // Screens. The files of the browser that are not named are short.
  'server/test/browser/screens.test.ts',
  'server/test/browser/console.test.ts',
  'server/test/browser/join.test.ts',
  'server/test/desk/screens.test.ts',
  'server/test/browser/docs.test.ts',
  'server/test/desk/who.test.ts',
  'server/test/browser/find.test.ts',
  'server/test/desk/journeys.test.ts',
  'server/test/browser/front.test.ts',
  'server/test/browser/offline.test.ts',
  'server/test/browser/map.test.ts',
  'server/test/browser/me.test.ts',
  'server/test/browser/work.test.ts',
  'server/test/browser',

  // Faults, attacks and random orders, scaled to fit.
  'scripts/demo.test.ts',
  'server/test/processor/faults.test.ts',
  'server/test/processor/kills.test.ts',
  'server/test/model/model.test.ts',
  'server/test/interleavings/pairs.test.ts',
  'server/test/ledger/mutants.test.ts',
  'server/test/crash/crash.test.ts',
  'server/test/upgrade/controls.test.ts',
  'server/test/desk/four-eyes.test.ts',
  'server/test/races/verdicts.test.ts',
  'server/test/webhooks/kills.test.ts',
  'server/test/desk/queue-speed.test.ts',
  'server/test/ledger/audit-runs.test.ts',
  'server/test/processor',
  'server/test/ledger',
  'server/test/matrix',
  'server/test/fuzz',
  'server/test/faults',
  'server/test/crash',
  'server/test/attacks',
  'server/test/strangers',
  'server/test/races',
  'server/test/webhooks',
  'server/test/model',
  'server/test/interleavings',
  'server/test/rolling',
  'server/test/upgrade',
  'server/test/counts',
  'server/test/cluster',
  'server/test/pooler',
  'server/test/traces',
  'server/test/restore',
] as const

/**
 * Deep tests that mostly wait: for downloads, a cluster's timeouts, processes that drain. They run one after the other
 * beside the rest. So compose.test.ts also finds the image that image.test.ts has built.
 */
export const WAITING = [
  'deploy/image.test.ts',
  'deploy/compose.test.ts',
  'server/test/failover',
  'server/test/restore',
  'server/test/upgrade',
  'server/test/rolling',
  'server/test/secrets',
] as const

/** Add and remove network interfaces of this machine, at which Chromium fails what it is loading. */
export const CHANGES_NETWORK = ['deploy/compose.test.ts', 'server/test/failover'] as const
export const NEEDS_BROWSER = [
  'server/test/browser',
  'server/test/desk/screens.test.ts',
  'server/test/desk/who.test.ts',
  'server/test/desk/journeys.test.ts',
  'scripts/demo.test.ts',
  'scripts/npm-scripts.test.ts',
] as const

/** Test files that are about a database with one schema, and why. With several schemas they are left out. */
export const ONE_SCHEMA: Record<string, string> = {
  'server/test/shards.test.ts':
    'shows that transactions stay in one of four databases that triggers pretend',
  'server/test/worker-side.test.ts':
    'makes the copies for a worker by hand, and compares with one schema',
  'server/test/migrations.test.ts':
    'makes its own databases; server/test/cluster/schemas.test.ts is for several',
}

/**
 * The tests that `.ci/run` runs with sixteen schemas: they move money or decisions between two shards, or look at all
 * shards.
 */
export const CROSSING = [
  'server/src/consensus/fit-accuracy.test.ts',
  'server/src/disputes',
  'server/src/feed/project-open.test.ts',
  'server/src/notices/subscribe.test.ts',
  'server/src/reconcile/resolve-suspense.test.ts',
  'server/src/ops/restore.test.ts',
  'server/src/payouts/decide-hold.test.ts',
  'server/src/payouts/release.test.ts',
  'server/src/payouts/reverse.test.ts',
  'server/src/payouts/settle-transfer.test.ts',
  'server/src/tasks/accept.test.ts',
  'server/src/tasks/approve.test.ts',
  'server/src/tasks/auto-approve.test.ts',
  'server/src/tasks/begin-upload.test.ts',
  'server/src/tasks/expire.test.ts',
  'server/src/tasks/hand-back.test.ts',
  'server/src/tasks/release.test.ts',
  'server/src/tasks/request-revision.test.ts',
  'server/src/tasks/settlement.test.ts',
  'server/src/tasks/submit-proof.test.ts',
  'server/src/tasks/time-out.test.ts',
  'server/src/tasks/withdraw.test.ts',
  'server/src/wallet/request-refund.test.ts',
  'server/src/wallet/send-refund.test.ts',
  'server/src/wallet/settle-refund.test.ts',
  'server/src/workers/settle-trust.test.ts',
  'server/src/workers/shut-out.test.ts',
] as const
