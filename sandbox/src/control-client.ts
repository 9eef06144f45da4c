/** Calls the control API of a running sandbox processor. */
import assert from 'node:assert/strict'

export function openControl({ url, token }: { url: string; token: string }) {
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert(response.ok, `the sandbox processor refused ${method} ${path}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
