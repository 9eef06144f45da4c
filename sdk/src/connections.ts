import type { CallOptions } from './call-options.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'

export type Connection = Answer<'GET /agents/connections'>['connections'][number]

/** Apps that you connected with OAuth, each with a limited key. */
export class Connections {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Lists the apps that have access. Their scopes, caps and spending are those of the key `key_id`. */
  async list(options?: CallOptions): Promise<Connection[]> {
    return (await this.#requests.send('GET /agents/connections', {}, options)).connections
  }

  /** Takes an app’s access away. Its key and its tokens stop working within seconds. */
  async end(id: string, options?: CallOptions): Promise<void> {
    await this.#requests.send('DELETE /agents/connections/{id}', { id }, options)
  }

  /** The access that an app asks for, for a consent page. The query is that of its authorization request. */
  asked(
    query: Query<'GET /console/connect'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /console/connect'>> {
    return this.#requests.send('GET /console/connect', { query }, options)
  }

  /** Gives an app access within a budget. Returns where to send the person. */
  async grant(body: Body<'POST /console/connect'>, options?: CallOptions): Promise<string> {
    return (await this.#requests.send('POST /console/connect', { body }, options)).redirect_url
  }
}
