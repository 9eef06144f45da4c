import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts'

test('the session cookie is host-only, Secure and HttpOnly', () => {
  assert.equal(
    setSessionCookie('a.b.c', { days: 7 }),
    '__Host-legwork=a.b.c; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800',
  )
  assert.equal(
    clearSessionCookie(),
    '__Host-legwork=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
  )
})

for (const [header, value] of [
  [undefined, undefined],
  ['', undefined],
  ['__Host-legwork=', undefined],
  ['__Host-legwork', undefined],
  ['legwork=a', undefined],
  ['__host-legwork=a', undefined],
  ['x__Host-legwork=a', undefined],
  ['other="x; y"; =; ;;%%; __Host-legwork=a.b.c', 'a.b.c'],
  ['__Host-legwork=a=b', 'a=b'],
  ['__Host-legwork="a"; theme=dark', 'a'],
  ['a=1;__Host-legwork=a.b.c\t; __Host-legwork=', 'a.b.c'],
  // A browser keeps only one cookie with our name. A second one is forged, and may come first.
  ['__Host-legwork=one; __Host-legwork=other', undefined],
  // Sibling sites can set a cookie whose name equals ours after trimming such whitespace.
  ['\u00A0__Host-legwork=a', undefined],
  ['\uFEFF__Host-legwork=a', undefined],
  ['\v__Host-legwork=a', undefined],
] as const)
  test(`the header ${header ?? '(none)'} gives ${value ?? 'nothing'}`, () => {
    assert.equal(readSessionCookie(header), value)
  })
