/**
 * The endpoints that need no key or token, as listed in docs/security.md. A new public route must be added there by
 * hand; every test that needs the public routes reads them from that table.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const document = readFileSync(path.join(import.meta.dirname, '../../docs/security.md'), 'utf8')
const section = document.split('\n## Doors without a key\n')[1]!.split('\n## ')[0]!

/** The cells of each row: endpoint, cost of a call, bound, and where it is enforced. */
export const doorRows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '))

/** `METHOD path` of each. */
export const DOORS = doorRows.map(([door]) => door!.replaceAll('`', ''))
