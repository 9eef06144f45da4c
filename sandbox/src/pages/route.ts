/** A page as data: by which address it is reached, and what it answers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox } from '../sandbox.ts'
import type { Fields } from './forms.ts'
import type { PageAnswer } from './layout.ts'

export interface PageRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** The form as it came. */
  body: string
}

export interface PageCall {
  sandbox: Sandbox
  request: PageRequest
  /** What stood at the colons of the path, in order. */
  ids: string[]
  fields: Fields
}

export interface PageRoute {
  method: 'GET' | 'POST'
  /** `/c/pay/:session` */
  path: string
  run(call: PageCall): PageAnswer | Promise<PageAnswer>
}
