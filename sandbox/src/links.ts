/** Single-use links that expire within minutes: to the onboarding form and the dashboard of a connected account. */
import type Stripe from 'stripe'
import type { AccountRecord } from './account-record.ts'
import { invalidRequest, notFound } from './errors.ts'
import { findObject } from './objects.ts'
import { object, oneOf, required, text, url } from './params.ts'
import { secret } from './random.ts'
import { route } from './route.ts'
import type { Tx } from './tx.ts'

const LIVES_SECONDS = 300

export interface Link {
  token: string
  kind: 'onboarding' | 'login'
  account: string
  refresh_url: string | null
  return_url: string | null
  expires_at: number
  used_at: number | null
  /** Neither used nor expired. */
  isOpen: boolean
}

export function findLink(tx: Tx, kind: Link['kind'], token: string): Link | undefined {
  const row = tx.store.one<{
    account: string
    json: string
    expires_at: number
    used_at: number | null
  }>(
    'select account, json, expires_at, used_at from links where token = ? and kind = ?',
    token,
    kind,
  )
  if (row === undefined) return undefined
  const { refresh_url, return_url } = JSON.parse(row.json) as Pick<
    Link,
    'refresh_url' | 'return_url'
  >
  return {
    token,
    kind,
    account: row.account,
    refresh_url,
    return_url,
    expires_at: row.expires_at,
    used_at: row.used_at,
    isOpen: row.used_at === null && row.expires_at > tx.now,
  }
}

/** Returns true only for the first caller in time; a used or expired link is refused. */
export function consumeLink(tx: Tx, kind: Link['kind'], token: string): boolean {
  const { changes } = tx.store.run(
    'update links set used_at = ? where token = ? and kind = ? and used_at is null and expires_at > ?',
    tx.now,
    token,
    kind,
    tx.now,
  )
  return changes === 1
}

function mintLink(
  tx: Tx,
  kind: Link['kind'],
  account: string,
  urls: { refresh_url?: string | undefined; return_url?: string | undefined } = {},
): { token: string; expiresAt: number } {
  const token = `${kind === 'login' ? 'lgn' : 'lnk'}_${secret(40)}`
  const expiresAt = tx.now + LIVES_SECONDS
  const json = JSON.stringify({
    refresh_url: urls.refresh_url ?? null,
    return_url: urls.return_url ?? null,
  })
  tx.store.run(
    'insert into links (token, kind, account, json, expires_at) values (?, ?, ?, ?, ?)',
    token,
    kind,
    account,
    json,
    expiresAt,
  )
  return { token, expiresAt }
}

/** Returns the account unless it is closed, because links to a closed one lead nowhere. */
function openAccount(tx: Tx, id: string, param?: string): AccountRecord {
  const record = findObject(tx, 'account', id)
  if (record === undefined) throw notFound('account', id, param)
  if (record.closed)
    throw invalidRequest(`The account ${id} is closed.`, { code: 'account_closed' })
  return record
}

/** The processor itself asks these accounts for missing information, so only onboarding links can be created. */
function checkType(type: string): void {
  if (type !== 'account_onboarding')
    throw invalidRequest(
      `You cannot create \`${type}\` type Account Links for this account. Valid types for this account are: ` +
        '["account_onboarding"]',
      { param: 'type' },
    )
}

const onboarding = object({
  refresh_url: required(url),
  return_url: url,
  collection_options: object({
    fields: oneOf('currently_due', 'eventually_due'),
    future_requirements: oneOf('include', 'omit'),
  }),
})

export const linkRoutes = [
  route({
    method: 'POST',
    path: '/v2/core/account_links',
    params: {
      account: required(text()),
      use_case: required(
        object({
          type: required(oneOf('account_onboarding', 'account_update')),
          account_onboarding: onboarding,
          account_update: onboarding,
        }),
      ),
    },
    run(tx, { params: { account, use_case } }) {
      openAccount(tx, account, 'account')
      checkType(use_case.type)
      const details = use_case[use_case.type]
      if (details === undefined)
        throw invalidRequest(`Missing required param: use_case[${use_case.type}].`, {
          code: 'parameter_missing',
          param: `use_case[${use_case.type}]`,
        })
      const { token, expiresAt } = mintLink(tx, 'onboarding', account, details)
      const { collection_options: options, refresh_url, return_url } = details
      return {
        object: 'v2.core.account_link',
        account,
        created: new Date(tx.nowMs).toISOString(),
        expires_at: new Date(expiresAt * 1000).toISOString(),
        livemode: false,
        url: `${tx.publicUrl}/setup/${token}`,
        use_case: {
          type: use_case.type,
          [use_case.type]: {
            refresh_url,
            ...(return_url === undefined ? {} : { return_url }),
            ...(options === undefined ? {} : { collection_options: options }),
          },
        },
      } satisfies Stripe.V2.Core.AccountLink
    },
  }),

  route({
    method: 'POST',
    path: '/v1/account_links',
    params: {
      account: required(text()),
      type: required(oneOf('account_onboarding', 'account_update')),
      refresh_url: required(url),
      return_url: required(url),
      collect: oneOf('currently_due', 'eventually_due'),
      collection_options: object({
        fields: oneOf('currently_due', 'eventually_due'),
        future_requirements: oneOf('include', 'omit'),
      }),
    },
    run(tx, { params }) {
      openAccount(tx, params.account, 'account')
      checkType(params.type)
      const { token, expiresAt } = mintLink(tx, 'onboarding', params.account, params)
      return {
        object: 'account_link',
        created: tx.now,
        expires_at: expiresAt,
        url: `${tx.publicUrl}/setup/${token}`,
      } satisfies Stripe.AccountLink
    },
  }),

  route({
    method: 'POST',
    path: '/v1/accounts/:id/login_links',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const account = openAccount(tx, id)
      if (account.dashboard !== 'express')
        throw invalidRequest(
          'Cannot create a login link for an account without the Express Dashboard.',
        )
      if (!account.details_submitted)
        throw invalidRequest(
          'Cannot create a login link for an account that has not completed onboarding.',
        )
      const { token } = mintLink(tx, 'login', id)
      return {
        object: 'login_link',
        created: tx.now,
        url: `${tx.publicUrl}/express/${token}`,
      } satisfies Stripe.LoginLink
    },
  }),
]
