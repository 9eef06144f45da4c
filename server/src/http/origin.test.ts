import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOwnOrigin } from './origin.ts'

const PUBLIC = 'https://legwork.example'

describe('an origin is ours', () => {
  for (const [origin, host, publicUrl] of [
    ['http://127.0.0.1:8080', '127.0.0.1:8080', undefined],
    ['https://legwork.example', 'legwork.example', undefined],
    ['https://legwork.example', 'LEGWORK.example:443', undefined],
    ['http://[::1]:8080', '[::1]:8080', undefined],
    [PUBLIC, 'legwork.example', PUBLIC],
    [PUBLIC, 'legwork.example', `${PUBLIC}/`],
    // Behind a proxy that uses an internal host name, and under a second public name.
    [PUBLIC, '10.0.0.7:8080', PUBLIC],
    ['https://www.legwork.example', 'www.legwork.example', PUBLIC],
  ] as const)
    test(`as ${origin}, for the host ${host} and the public URL ${publicUrl ?? 'nothing'}`, () => {
      assert(isOwnOrigin({ origin, host }, { publicUrl }))
    })
})

describe('an origin is not ours', () => {
  for (const [origin, host, publicUrl] of [
    [undefined, 'legwork.example', PUBLIC],
    ['', 'legwork.example', PUBLIC],
    ['null', 'legwork.example', PUBLIC],
    ['null', 'null', undefined],
    ['http://legwork.example', 'legwork.example', PUBLIC],
    ['https://legwork.example:8443', 'legwork.example', PUBLIC],
    ['https://evil.example', 'legwork.example', PUBLIC],
    ['https://evil.legwork.example', 'legwork.example', PUBLIC],
    ['https://legwork.example.evil.example', 'legwork.example', PUBLIC],
    ['https://legwork.example@evil.example', 'legwork.example', PUBLIC],
    ['https://evil.example@legwork.example', 'legwork.example', PUBLIC],
    ['https://legwork.example/', 'legwork.example', PUBLIC],
    ['https://legwork.example, https://evil.example', 'legwork.example', PUBLIC],
    ['https://LEGWORK.example', 'legwork.example', PUBLIC],
    ['legwork.example', 'legwork.example', PUBLIC],
    ['ftp://legwork.example', 'legwork.example', undefined],
    ['chrome-extension://legwork.example', 'legwork.example', undefined],
    ['http://127.0.0.1:8081', '127.0.0.1:8080', undefined],
    ['http://localhost:8080', '127.0.0.1:8080', undefined],
    ['https://legwork.example', undefined, undefined],
    ['https://legwork.example', 'legwork.example/x@evil.example', undefined],
  ] as const)
    test(`as ${origin ?? 'nothing'}, for the host ${host ?? 'nothing'}`, () => {
      assert(!isOwnOrigin({ origin, host } as { origin: string }, { publicUrl }))
    })
})
