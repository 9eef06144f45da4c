/** Defines a page as data: its URL and its handler. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox } from '../sandbox.ts'
import type { Fields } from './forms.ts'
import type { PageAnswer } from './layout.ts'

export interface PageRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** The raw form body. */
  body: string
}

export interface PageCall {
  sandbox: Sandbox
  request: PageRequest
  /** The values of the path parameters, in order. */
  ids: string[]
  fields: Fields
}

export interface PageRoute {
  method: 'GET' | 'POST'
  /** `/c/pay/:session` */
  path: string
  run(call: PageCall): PageAnswer | Promise<PageAnswer>
}
