import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitStatements } from './split-sql.ts'

test('splits at semicolons outside of strings, names, dollar quotes and comments', () => {
  const text = `
    -- a; comment
    select ';', "a;b" from t; -- another; one
    do $x$ begin perform 1; end $x$;
    select 'it''s; fine'`
  assert.deepEqual(splitStatements(text), [
    `select ';', "a;b" from t`,
    'do $x$ begin perform 1; end $x$',
    "select 'it''s; fine'",
  ])
})
