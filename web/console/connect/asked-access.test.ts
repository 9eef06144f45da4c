import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAskedAccess } from './asked-access.ts'

const ASKED = {
  response_type: 'code',
  client_id: 'client_1',
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
}

describe('the address of the consent page', () => {
  test('is read with its optional parts, and without what we do not know', () => {
    const full = { ...ASKED, scope: 'read', state: 'a b', resource: 'https://legwork.example/mcp' }

    assert.deepEqual(readAskedAccess(new URLSearchParams(ASKED)), ASKED)
    assert.deepEqual(readAskedAccess(new URLSearchParams({ ...full, prompt: 'none' })), full)
  })

  test('is refused if a part is missing or there twice', () => {
    for (const name of Object.keys(ASKED)) {
      const without = new URLSearchParams(ASKED)
      without.delete(name)
      const twice = new URLSearchParams(ASKED)
      twice.append(name, 'other')
      assert.equal(readAskedAccess(without), undefined, name)
      assert.equal(readAskedAccess(twice), undefined, name)
    }
    const states = new URLSearchParams([...Object.entries(ASKED), ['state', '1'], ['state', '2']])
    assert.equal(readAskedAccess(states), undefined)
  })
})
