import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { marketplace } from '../../test/harness.ts'
import { endpoints } from '../endpoints.ts'
import { accessOf, missingDeclarations } from './access.ts'
import { type AnyEndpoint, endpoint } from './endpoint.ts'
import { defineError } from './errors.ts'

const plain = endpoint({
  method: 'POST',
  path: '/test/plain',
  auth: 'agent',
  scope: 'read',
  summary: 'Does nothing',
  success: { status: 200, body: z.object({}) },
  errors: [],
  handler: async () => ({}),
})
const guidance = { who: 'agent', cause: 'Never.', fix: 'Nothing.' } as const
const notFound = defineError(404, 'nothing_found', 'Nothing', {}, guidance)

describe('the declaration of access', () => {
  test('is complete on every endpoint', () => {
    assert.deepEqual(endpoints.flatMap(missingDeclarations), [])
  })

  test('has safe defaults: the widest scope, no foreign objects', () => {
    assert.deepEqual(accessOf({ auth: 'agent' }), {
      auth: 'agent',
      scope: 'manage',
      right: 'people',
      isOfKeys: false,
      by: undefined,
      object: undefined,
      mode: undefined,
      restricted: 'served',
      cap: 'free',
      person: 'optional',
    })
  })

  for (const [what, changes, missing] of [
    ['an endpoint with a key and no scope', { scope: undefined }, /declares no scope/],
    ['an endpoint without authentication', { auth: 'none' }, /declares no access\.by/],
    [
      'an endpoint with a key and an alternative',
      { access: { by: 'anyone' } },
      /both auth and access\.by/,
    ],
    ['a path with an id', { path: '/test/:id' }, /does not declare access\.object/],
    [
      'an object without its 404',
      { access: { object: 'own' } },
      /does not list 404 for other callers/,
    ],
    ['a cap without its error', { access: { cap: 'charged' } }, /does not list key_cap/],
    [
      'an error without its declaration',
      { errors: [defineError(403, 'agent_restricted', 'No', {}, guidance)] },
      /lists agent_restricted but does not declare the access rule/,
    ],
  ] as [string, Partial<AnyEndpoint>, RegExp][])
    test(`is reported as incomplete for ${what}`, () => {
      const found = missingDeclarations({ ...plain, ...changes })

      assert.equal(found.length, 1)
      assert.match(found[0]!, missing)
    })

  test('is complete with an object and its 404', () => {
    const own = { ...plain, path: '/test/:id', access: { object: 'own' as const } }

    assert.deepEqual(missingDeclarations({ ...own, errors: [notFound] }), [])
  })

  test('is required: a server does not start without it', async () => {
    const { scope: _, ...undeclared } = plain

    await assert.rejects(
      marketplace({ moreEndpoints: [undeclared] }),
      /POST \/test\/plain declares no scope/,
    )
  })
})
