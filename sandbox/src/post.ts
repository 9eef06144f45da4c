/** Sends webhooks over HTTP. Connections are reused, because thousands of requests go to the same host. */
import http from 'node:http'
import https from 'node:https'

const TIME_LIMIT_MS = 10_000
const ANSWER_KEPT = 200

export interface Posted {
  /** Null means no response; `answer` then says why. */
  status: number | null
  /** The first characters of the response. */
  answer: string
}

export interface Poster {
  post(url: string, body: string, headers: Record<string, string>): Promise<Posted>
  /** Aborts requests in flight; nothing can be posted afterward. */
  stop(): void
}

export function openPoster(): Poster {
  const stopped = new AbortController()
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  }

  async function post(
    url: string,
    body: string,
    headers: Record<string, string>,
    isAgain = false,
  ): Promise<Posted> {
    try {
      return await postOnce(url, body, headers)
    } catch (error) {
      // Retry once: a reused connection that the other side just closed doesn't mean that it is down.
      if (error instanceof StaleConnection && !isAgain) return post(url, body, headers, true)
      return { status: null, answer: (error as Error).message.slice(0, ANSWER_KEPT) }
    }
  }

  function postOnce(url: string, body: string, headers: Record<string, string>): Promise<Posted> {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const { request } = protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const limit = setTimeout(
        () => outgoing.destroy(new Error(`no response within ${TIME_LIMIT_MS} ms`)),
        TIME_LIMIT_MS,
      )
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent: agents[protocol],
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal: stopped.signal,
        },
        (incoming) => {
          let answer = ''
          incoming.setEncoding('utf8')
          incoming.on('data', (chunk: string) => {
            if (answer.length < ANSWER_KEPT) answer += chunk
          })
          incoming.on('error', reject)
          incoming.on('close', () => {
            clearTimeout(limit)
            if (incoming.complete)
              resolve({ status: incoming.statusCode ?? null, answer: answer.slice(0, ANSWER_KEPT) })
            else reject(new Error('the connection was closed'))
          })
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(limit)
        const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET'
        reject(isStale ? new StaleConnection(error.message) : error)
      })
      outgoing.end(body)
    })
  }

  return {
    post,
    stop() {
      stopped.abort()
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

class StaleConnection extends Error {}
