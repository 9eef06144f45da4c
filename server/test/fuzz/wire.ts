/** Raw bytes that no HTTP client sends, by name. */
const BASE = '/api/v1'

export function wireAttacks(key: string): Record<string, string | Buffer> {
  const auth = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
  const post = `POST ${BASE}/tasks HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`
  const get = (headers: string, path = '/wallet') =>
    `GET ${BASE}${path} HTTP/1.1\r\n${auth}${headers}\r\n`
  return {
    garbage: '\x00\x01\x02\x03\r\n\r\n',
    'HTTP/0.9': 'GET /\r\n\r\n',
    'no host': `GET ${BASE}/wallet HTTP/1.1\r\n\r\n`,
    'a version that is not there': `GET ${BASE}/wallet HTTP/9.9\r\nHost: x\r\n\r\n`,
    'a length and chunks': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get('')}`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}`,
    'a length that is no number': `${post}Content-Length: x\r\n\r\n{}`,
    'a negative length': `${post}Content-Length: -1\r\n\r\n{}`,
    'a length without end': `${post}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`,
    'chunks under another name': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    'a chunk without end': `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
    'a negative chunk': `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
    'a flood of chunk extensions': `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    '3,000 headers': get('X-A: b\r\n'.repeat(3000)),
    'a header of 100 kB': get(`X-A: ${'b'.repeat(100_000)}\r\n`),
    'a folded header': get('X-A: b\r\n c\r\n'),
    'NUL in a header': get('X-A: b\0c\r\n'),
    'NUL in the address': get('', '/tasks/\0'),
    'bare bytes in the address': Buffer.from(get('', '/tasks/\xff\xfe'), 'latin1'),
    'a space before the colon': `GET ${BASE}/wallet HTTP/1.1\r\nHost : x\r\n\r\n`,
    'line feeds alone': `GET ${BASE}/wallet HTTP/1.1\nHost: x\n\n`,
    'a whole URL': `GET http://evil.example${BASE}/wallet HTTP/1.1\r\n${auth}\r\n`,
    'a whole URL of /mcp': `POST http://evil.example/mcp HTTP/1.1\r\n${auth}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    'a URL of another scheme': `GET ftp://evil.example/x HTTP/1.1\r\n${auth}\r\n`,
    'a tunnel': 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'an asterisk': 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    'two slashes': get('', '//wallet'),
    'a fragment': get('', '/wallet#x'),
    'two authorizations': get('Authorization: Bearer x\r\n'),
    'two keys': `GET ${BASE}/wallet HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nX-Api-Key: x\r\n\r\n`,
    'two idempotency keys': `${post}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n\r\n{}`,
    'an upgrade': get('Connection: Upgrade\r\nUpgrade: h2c\r\n'),
    'a web socket': get('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    TLS: Buffer.from('16030100c8010000c40303', 'hex'),
    'a long method': `${'A'.repeat(20_000)} / HTTP/1.1\r\n\r\n`,
    'an address of 100 kB': `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    '50 requests at once': `GET ${BASE}/worker/app HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(50),
    'an expectation': `${post}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    'an unknown expectation': `${post}Expect: x\r\nContent-Length: 2\r\n\r\n{}`,
    'a line break in the address': get('', '/wallet%0d%0aX-Injected:%20y'),
  }
}
