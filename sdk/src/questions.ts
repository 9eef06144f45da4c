import type { CallOptions } from './call-options.ts'
import type { Requests } from './request.ts'
import type { Answer, Body, Query } from './routes.ts'

/** A question to the operators, with everything that both sides wrote. */
export type AgentQuestion = Answer<'GET /agents/questions/{id}'>['question']

/** Questions to the people who run the marketplace. They need a live key with the scope `manage`. */
export class Questions {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  /** Asks a question, about anything or about a task. A person answers by `due_at`. */
  async ask(body: Body<'POST /agents/questions'>, options?: CallOptions): Promise<AgentQuestion> {
    return (await this.#requests.send('POST /agents/questions', { body }, options)).question
  }

  /** Lists your questions, newest first, and how soon we answer. */
  list(
    query?: Query<'GET /agents/questions'>,
    options?: CallOptions,
  ): Promise<Answer<'GET /agents/questions'>> {
    return this.#requests.send('GET /agents/questions', { query }, options)
  }

  /** A question with its messages. */
  async get(id: string, options?: CallOptions): Promise<AgentQuestion> {
    return (await this.#requests.send('GET /agents/questions/{id}', { id }, options)).question
  }

  /** Adds a message to a question; after an answer, it is open again. */
  async reply(
    id: string,
    body: Body<'POST /agents/questions/{id}/replies'>,
    options?: CallOptions,
  ): Promise<AgentQuestion> {
    return (await this.#requests.send('POST /agents/questions/{id}/replies', { id, body }, options))
      .question
  }

  /** Closes a question: the answer is enough, or you no longer need one. */
  async close(id: string, options?: CallOptions): Promise<AgentQuestion> {
    return (await this.#requests.send('POST /agents/questions/{id}/close', { id }, options))
      .question
  }
}
