import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { beginUpload } from '../../test/files/uploads.ts'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 500_000 })

interface Sent {
  announced: number
  sends: number
  offset?: number
  token?: string
  isChunked?: boolean
}

/** Sends an upload over a new connection, then another request over the same connection. */
async function send({ announced, sends, offset = 0, token, isChunked = false }: Sent) {
  const { id, workers } = await market.taskIn(agent, 'in_progress')
  const bytes = Buffer.alloc(announced, 65)
  const upload = await beginUpload(workers[0]!, id, { bytes })
  const { hostname, port } = new URL(market.server.addresses.api!)
  const socket = connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => {})
  const responses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  socket.write(
    `PATCH /api/v1/worker/uploads/${upload} HTTP/1.1\r\nhost: x\r\n` +
      `authorization: Bearer ${token ?? workers[0]!.token}\r\nupload-offset: ${offset}\r\n` +
      `content-type: application/offset+octet-stream\r\n` +
      (isChunked
        ? `transfer-encoding: chunked\r\n\r\n${sends.toString(16)}\r\n`
        : `content-length: ${sends}\r\n\r\n`),
  )
  socket.write(Buffer.alloc(sends, 65))
  if (isChunked) socket.write('\r\n0\r\n\r\n')
  await eventually('the upload is answered', 20_000, async () => responses()[0])
  const connection = /\r\nconnection: (\S+)/i.exec(text)?.[1]
  if (connection !== 'close')
    socket.write('GET /api/v1/wallet HTTP/1.1\r\nhost: x\r\nx-next: yes\r\n\r\n')
  await eventually('the connection is closed, or the next request is answered', 20_000, async () =>
    isClosed || responses().length > 1 ? true : undefined,
  )
  socket.destroy()
  return { connection, statuses: responses(), code: /"code":"(\w+)"/.exec(text)?.[1] }
}

describe('a response before the whole body has arrived', () => {
  for (const [what, sent, wanted] of [
    ['5 MB for an upload of 100 bytes', { announced: 100, sends: 5_000_000 }, [413]],
    ['200 kB for an upload of 100 bytes', { announced: 100, sends: 200_000 }, [413]],
    ['101 bytes for an upload of 100', { announced: 100, sends: 101 }, [413, 401]],
    ['2 MB in chunks for 100 bytes', { announced: 100, sends: 2_000_000, isChunked: true }, [413]],
    ['101 bytes in chunks for 100', { announced: 100, sends: 101, isChunked: true }, [413, 401]],
    ['5 MB at a wrong offset', { announced: 5_000_007, sends: 5_000_000, offset: 7 }, [409]],
    ['100 bytes at a wrong offset', { announced: 107, sends: 100, offset: 7 }, [409, 401]],
    ['5 MB with a wrong token', { announced: 5_000_000, sends: 5_000_000, token: 'no' }, [401]],
    ['3 MB as announced', { announced: 3_000_000, sends: 3_000_000 }, [204, 401]],
  ] as const)
    test(`always reaches the client: ${what}`, async () => {
      const { connection, statuses, code } = await send(sent)

      // The whole body may have arrived by then, depending on timing; in that case the connection stays open.
      assert.deepEqual(statuses, connection === 'close' ? wanted.slice(0, 1) : [wanted[0], 401])
      if (wanted[0] === 204) assert.notEqual(connection, 'close')
      else assert(code)
    })

  test('closes the connection, and does not read the rest of the body as a request', async () => {
    const before = await market.asOwner('select count(*)::int as n from agents')
    const { hostname, port } = new URL(market.server.addresses.api!)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    const body = JSON.stringify({ name: 'Smuggled', email: 'smuggled@example.com' })
    const smuggled =
      'POST /api/v1/agents/register HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
      `content-length: ${body.length}\r\n\r\n${body}`
    socket.write(
      'PATCH /api/v1/worker/uploads/upl_x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer no\r\n' +
        'content-type: application/offset+octet-stream\r\nupload-offset: 0\r\ncontent-length: 5000000\r\n\r\n',
    )
    await eventually('it is answered', 20_000, async () =>
      text.includes('401') ? true : undefined,
    )
    for (let i = 0; i < 20; i += 1) socket.write(smuggled)
    socket.end()
    await closed

    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1)
    assert.deepEqual(await market.asOwner('select count(*)::int as n from agents'), before)
  })
})
