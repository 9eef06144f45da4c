// Loaded before everything else (`node --import`), in syntax that any Node from 18 on understands: without it, an old
// Node or a missing `npm ci` fails with an internal stack trace.
import { existsSync } from 'node:fs'

const NODE_MIN = 24
const version = process.versions.node
const isOld = Number.parseInt(version, 10) < NODE_MIN
const isInstalled = existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))

if (isOld && process.platform === 'linux')
  fail(
    `Legwork needs Node ${NODE_MIN} or later; this is ${version}.`,
    `Install it, or run \`npm ci\` with npm 11 or later, which installs it too: npx npm@11 ci`,
    '(npm 9 and 10 also download it, but not to where the scripts look for it.)',
  )
if (isOld) fail(`Legwork needs Node ${NODE_MIN} or later; this is ${version}. Install it first.`)
if (!isInstalled) fail('The dependencies are not installed. Run npm ci first.')

/** @param {string[]} lines */
function fail(...lines) {
  console.error(`\n  ${lines.join('\n  ')}\n`)
  process.exit(1)
}
