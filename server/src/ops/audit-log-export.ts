/** Write the whole audit log to a file, as lines of JSON. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { auditLines } from '../operators/export-audit-log.ts'
import { command, named } from './command.ts'

export const auditLogExport = command({
  name: 'audit-log export',
  takes: 'FILE',
  does: 'write the audit log to a new file, as lines of JSON',
  right: 'staff',
  async run({ db }, { words: [word] }) {
    const file = named(word, 'a file')
    let rows = 0
    async function* counted() {
      for await (const line of auditLines(db.shards.global.reader)) {
        rows += 1
        yield line
      }
    }
    await pipeline(Readable.from(counted()), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return { data: { file, rows } }
  },
})
