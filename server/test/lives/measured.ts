/** Requests and readings of the benches that measure what an operation costs. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Json } from '../harness.ts'
import type { Party } from './cast.ts'

/** Sends one request, which must succeed. */
export async function call(by: Party, method: string, url: string, body?: unknown): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${by.bearer}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })
  const text = await response.text()
  assert(response.ok, `${method} ${url}: ${response.status} ${text}`)
  return JSON.parse(text) as Json
}

/** The one number that a query returns. */
export async function number(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<Record<string, unknown>>(query)
  return Number(Object.values(rows[0]!)[0])
}

let shops = 0

/** Another place for each task, within three kilometers: only so many tasks may have one place as their target. */
export function nextShop(near: { lat: number; lng: number }): { lat: number; lng: number } {
  shops += 1
  const [row, column] = [shops % 50, Math.floor(shops / 50) % 50]
  return { lat: near.lat + row * 0.0005, lng: near.lng + column * 0.0008 }
}
