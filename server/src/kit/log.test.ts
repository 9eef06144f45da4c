import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openLog } from './log.ts'

describe('a log line', () => {
  test('has its own fields only, none of the lines before it', () => {
    const lines: Record<string, unknown>[] = []
    const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })

    log.info({ agent_id: 'agent_1', roles: ['api'] }, 'started')
    log.info({ ms: 3 }, 'request')
    log.info('stopped')

    assert.deepEqual(
      lines.map((line) => Object.keys(line)),
      [
        ['level', 'time', 'agent_id', 'roles', 'msg'],
        ['level', 'time', 'ms', 'msg'],
        ['level', 'time', 'msg'],
      ],
    )
  })
})
