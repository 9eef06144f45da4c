import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openLinks } from './links.ts'

const base = 'https://files.example.com'
const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]
const now = new Date('2026-06-01T12:00:00Z')
const later = new Date(now.getTime() + 60_000)

function parts(link: string) {
  const { pathname, searchParams } = new URL(link)
  return {
    fileId: pathname.split('/').at(-1)!,
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature')!,
  }
}

describe('a link to a file', () => {
  test('works until it expires, and for its file only', () => {
    const links = openLinks({ keys: [OLD], base })
    const link = parts(links.sign('file_1', later))

    assert(links.holds(link, now))
    assert(!links.holds(link, later))
    assert(!links.holds({ ...link, fileId: 'file_2' }, now))
  })

  test('works with any of the keys, and is signed with the first', () => {
    const [before, between, after] = [[OLD], [NEW, OLD], [NEW]].map((keys) =>
      openLinks({ keys, base }),
    )
    const [old, fresh] = [before!.sign('file_1', later), between!.sign('file_1', later)].map(parts)

    assert(between!.holds(old!, now))
    assert(after!.holds(fresh!, now))
    assert(!after!.holds(old!, now))
    assert(!before!.holds(fresh!, now))
  })

  test('works in one process only if there is no key', () => {
    const link = parts(openLinks({ keys: [], base }).sign('file_1', later))

    assert(!openLinks({ keys: [], base }).holds(link, now))
  })
})
