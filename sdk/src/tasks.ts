import type { CallOptions } from './call-options.ts'
import { pagesOf } from './pages.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import type { Proof, Task, TaskDetail, TaskQuery } from './task-types.ts'
import type { components } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

export interface SaveOptions extends CallOptions {
  /** The proof to save; all proofs of the task by default. */
  proofId?: string | undefined
}
export type SaveProofs = (
  tasks: Pick<Tasks, 'proof' | 'download'>,
  taskId: string,
  folder: string,
  options?: SaveOptions,
) => Promise<string[]>
export class Tasks {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Creates a task. Its budget goes into escrow, unless it is a free task. */
  async create(body: Body<'POST /tasks'>, options?: CallOptions): Promise<Task> {
    return (await this.#requests.send('POST /tasks', { body }, options)).task
  }

  /** A page of your tasks, newest first. */
  list(query?: Query<'GET /tasks'>, options?: CallOptions): Promise<Answer<'GET /tasks'>> {
    return this.#requests.send('GET /tasks', { query }, options)
  }

  /** Your tasks, page by page: `for await (const page of legwork.tasks.pages({ status: 'disputed' }))`. */
  pages(
    query: Omit<NonNullable<Query<'GET /tasks'>>, 'offset'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Task[], void, undefined> {
    return pagesOf(query.cursor, async (cursor) => {
      const page = await this.list({ limit: 100, ...query, ...(cursor ? { cursor } : {}) }, options)
      return { items: page.tasks, next: page.next_cursor }
    })
  }

  /**
   * Returns a task with its proofs. With `wait`, the server responds when the task changes or after that many seconds
   * (at most 55); with `while`, at once if the status differs. Small photos are included as data URLs unless `media`
   * is `url`; `proof` returns all photos.
   */
  async get(id: string, query: TaskQuery = {}, options?: CallOptions): Promise<TaskDetail> {
    const { task } = await this.#requests.send(
      'GET /tasks/{id}',
      { id, query, holdS: query.wait },
      options,
    )
    return { ...task, proofs: task.proofs.map((proof) => this.#savable(id, proof)) }
  }

  /** Returns the proofs with their photos as data URLs, or with `media: 'url'` as short-lived links. */
  async proof(
    id: string,
    query?: Query<'GET /tasks/{id}/proof'>,
    options?: CallOptions,
  ): Promise<{ task_id: string; proofs: Proof[] }> {
    const answer = await this.#requests.send('GET /tasks/{id}/proof', { id, query }, options)
    return { ...answer, proofs: answer.proofs.map((proof) => this.#savable(id, proof)) }
  }

  /** Downloads a file of a proof (`proof.media[0].url`). */
  download(url: string, options?: CallOptions): Promise<Response> {
    // The link is signed, so don't send the key to a file store. Files of the API server itself are requested through
    // this client's base URL, which may differ from the public one.
    const link = new URL(url, this.#requests.baseUrl)
    const base = new URL(this.#requests.baseUrl)
    const isOfServer = link.pathname.startsWith(`${base.pathname}/files/`)
    const href = isOfServer ? base.origin + link.pathname + link.search : link.href
    return this.#requests.raw({ method: 'GET', url: href }, options)
  }

  /**
   * Waits until all proofs are in or the task has ended, by long polling; temporary failures are retried. After
   * `timeout` (30 minutes by default) it throws `WaitTimeout`. Call it again to keep waiting, in this process or
   * another.
   */
  wait(id: string, options: WaitOptions = {}): Promise<TaskDetail> {
    return waitFor((query, call) => this.get(id, query, call), options)
  }

  /** Approves the work and pays the workers, less the commission. `override_result` settles a conflict. */
  approve(
    id: string,
    body: Body<'POST /tasks/{id}/approve'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/approve'>> {
    return this.#requests.send('POST /tasks/{id}/approve', { id, body }, options)
  }

  /** Disputes the work and refunds the budget. The worker sees the reason and can appeal. */
  dispute(
    id: string,
    body: Body<'POST /tasks/{id}/dispute'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/dispute'>> {
    return this.#requests.send('POST /tasks/{id}/dispute', { id, body }, options)
  }

  /** Withdraws a dispute: the worker is paid. */
  withdrawDispute(
    id: string,
    body: Body<'POST /tasks/{id}/dispute/withdraw'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/dispute/withdraw'>> {
    return this.#requests.send('POST /tasks/{id}/dispute/withdraw', { id, body }, options)
  }

  /** Replies to a worker's appeal within 48 hours; an operator then decides. Without a reply the worker is paid. */
  async answerAppeal(
    id: string,
    body: Body<'POST /tasks/{id}/dispute/answer'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/dispute/answer'>['dispute']> {
    return (await this.#requests.send('POST /tasks/{id}/dispute/answer', { id, body }, options))
      .dispute
  }

  /** Sends the work back to the same worker with a note, once per worker. */
  async requestRevision(
    id: string,
    body: Body<'POST /tasks/{id}/request-revision'>,
    options?: CallOptions,
  ): Promise<Task> {
    return (await this.#requests.send('POST /tasks/{id}/request-revision', { id, body }, options))
      .task
  }

  /** Cancels a task without proof. Workers who have started get a part of the budget. */
  cancel(id: string, options?: CallOptions): Promise<Answer<'POST /tasks/{id}/cancel'>> {
    return this.#requests.send('POST /tasks/{id}/cancel', { id }, options)
  }

  /** Starts the payouts of a completed task, or returns their status. */
  async payout(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/payout'>['payouts']> {
    return (await this.#requests.send('POST /tasks/{id}/payout', { id }, options)).payouts
  }

  /** `save` is not enumerable, so that a printed or serialized proof is what the API returned. */
  #savable(taskId: string, proof: components['schemas']['Proof']): Proof {
    const save: Proof['save'] = async (folder, options) => {
      const { saveProofs } = await import('#files')
      return saveProofs(this, taskId, folder, { proofId: proof.id, ...options })
    }
    return Object.defineProperty(proof, 'save', { value: save }) as Proof
  }
}
