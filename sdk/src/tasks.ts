import type { CallOptions } from './call-options.ts'
import { pagesOf } from './pages.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'
import type { Proof, Task, TaskDetail, TaskQuery } from './task-types.ts'
import type { components } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

export interface SaveOptions extends CallOptions {
  /** Only this one; all proofs of the task by default. */
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

  /** Posts a task; its budget goes into escrow, or a free task is used. */
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
   * A task whole. With `wait`, the answer comes when the task changes, or after so many seconds (at most 55); with
   * `while`, at once if its status is not that one any more. Small photos of its proofs are data URLs too, unless
   * `media` is `url`; `proof` has all photos.
   */
  async get(id: string, query: TaskQuery = {}, options?: CallOptions): Promise<TaskDetail> {
    const { task } = await this.#requests.send(
      'GET /tasks/{id}',
      { id, query, holdS: query.wait },
      options,
    )
    return { ...task, proofs: task.proofs.map((proof) => this.#savable(id, proof)) }
  }

  /** The proofs with their photos: as data URLs, or with `media: 'url'` as links that live for minutes. */
  async proof(
    id: string,
    query?: Query<'GET /tasks/{id}/proof'>,
    options?: CallOptions,
  ): Promise<{ task_id: string; proofs: Proof[] }> {
    const answer = await this.#requests.send('GET /tasks/{id}/proof', { id, query }, options)
    return { ...answer, proofs: answer.proofs.map((proof) => this.#savable(id, proof)) }
  }

  /** The file behind a link of a proof (`proof.media[0].url`). */
  download(url: string, options?: CallOptions): Promise<Response> {
    // A link is its own permission: a key has no business at a store of files. A file of the server itself is asked
    // for where this client reaches it, which need not be where the world does.
    const link = new URL(url, this.#requests.baseUrl)
    const base = new URL(this.#requests.baseUrl)
    const isOfServer = link.pathname.startsWith(`${base.pathname}/files/`)
    const href = isOfServer ? base.origin + link.pathname + link.search : link.href
    return this.#requests.raw({ method: 'GET', url: href }, options)
  }

  /**
   * Waits until there is a proof to look at, or the task has ended. It asks the server, which answers when something
   * changes, and goes on through failures in passing. After `timeout` (30 minutes by default) it throws `WaitTimeout`;
   * call it again to go on, in this process or another.
   */
  wait(id: string, options: WaitOptions = {}): Promise<TaskDetail> {
    return waitFor((query, call) => this.get(id, query, call), options)
  }

  /** Accepts the work and pays the workers, less the commission. `override_result` decides where workers disagree. */
  approve(
    id: string,
    body: Body<'POST /tasks/{id}/approve'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/approve'>> {
    return this.#requests.send('POST /tasks/{id}/approve', { id, body }, options)
  }

  /** Refuses the work and takes the money back. The worker reads the reason, and may appeal. */
  dispute(
    id: string,
    body: Body<'POST /tasks/{id}/dispute'>,
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/dispute'>> {
    return this.#requests.send('POST /tasks/{id}/dispute', { id, body }, options)
  }

  /** Takes a dispute back: the worker is paid after all. */
  withdrawDispute(
    id: string,
    body: Body<'POST /tasks/{id}/dispute/withdraw'> = {},
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/dispute/withdraw'>> {
    return this.#requests.send('POST /tasks/{id}/dispute/withdraw', { id, body }, options)
  }

  /** Answers a worker's appeal, within 48 hours; an operator then decides. Silence concedes. */
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

  /** Withdraws a task that nobody has proved yet. Who has begun gets a part. */
  cancel(id: string, options?: CallOptions): Promise<Answer<'POST /tasks/{id}/cancel'>> {
    return this.#requests.send('POST /tasks/{id}/cancel', { id }, options)
  }

  /** Starts the payouts of a completed task, or shows how far they are. */
  async payout(
    id: string,
    options?: CallOptions,
  ): Promise<Answer<'POST /tasks/{id}/payout'>['payouts']> {
    return (await this.#requests.send('POST /tasks/{id}/payout', { id }, options)).payouts
  }

  /** Not a field: what is printed or sent on is what the API answered. */
  #savable(taskId: string, proof: components['schemas']['Proof']): Proof {
    const save: Proof['save'] = async (folder, options) => {
      const { saveProofs } = await import('#files')
      return saveProofs(this, taskId, folder, { proofId: proof.id, ...options })
    }
    return Object.defineProperty(proof, 'save', { value: save }) as Proof
  }
}
