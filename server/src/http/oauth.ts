/**
 * OAuth for MCP clients: the metadata documents, and the endpoints for programs, whose bodies and errors are those of
 * the RFCs instead of the API's. Their operations are in ../oauth; the person decides on a page of the console.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, malformedRequest } from '../kit/errors.ts'
import { refuseWhileReadOnly } from '../kit/switches.ts'
import { registerClient } from '../oauth/clients.ts'
import { RESOURCE_METADATA_PATH, resourceMetadata, serverMetadata } from '../oauth/metadata.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { type Form, issueTokens, revokeToken } from '../oauth/tokens.ts'
import { decodeBytes } from './clean-request.ts'
import { readBody } from './read-body.ts'
import type { ServerParts } from './server-parts.ts'

const FORM = 'application/x-www-form-urlencoded'
const BODY_MAX_BYTES = 8192
const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'

interface OAuthParts extends Pick<ServerParts, 'config' | 'shards' | 'switches'> {
  /** Records a refusal in logs and metrics. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError
}

export function serveOAuth(
  server: FastifyInstance,
  { config, shards, switches, refuse }: OAuthParts,
): void {
  for (const [path, metadata] of [
    [RESOURCE_METADATA_PATH, resourceMetadata(config)],
    [SERVER_METADATA_PATH, serverMetadata(config)],
  ] as const)
    server.get(path, { config: { label: path, access: 'anyone' } }, (_, reply) =>
      reply.send(metadata),
    )

  void server.register(async (scope) => {
    scope.addContentTypeParser(FORM, readForm)
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof OAuthError) {
        request.refused = { code: error.code, body: '' }
        return reply
          .code(error.code === 'invalid_client' ? 401 : 400)
          .send({ error: error.code, error_description: error.message })
      }
      const refusal = refuse(error, request, reply)
      request.refused = { code: refusal.code, body: '' }
      const code = refusal.status === 429 || refusal.status === 503 ? 'temporarily_unavailable' : ''
      return reply.code(refusal.status).send({
        error: code || (refusal.status >= 500 ? 'server_error' : 'invalid_request'),
        error_description: refusal.message,
      })
    })
    const open = (label: string) => ({
      bodyLimit: BODY_MAX_BYTES,
      config: { label, access: 'anyone' as const },
    })

    scope.post(
      '/oauth/register',
      {
        bodyLimit: BODY_MAX_BYTES,
        config: { label: '/oauth/register', access: 'anyone', limits: ['register_client'] },
      },
      async (request, reply) => {
        await refuseWhileReadOnly(switches)
        return reply.code(201).send(await registerClient(shards, request.body, request.now))
      },
    )
    scope.post('/oauth/token', open('/oauth/token'), (request) =>
      issueTokens({ shards, config, form: formOf(request), now: request.now }),
    )
    scope.post('/oauth/revoke', open('/oauth/revoke'), async (request) => {
      await revokeToken({ shards, form: formOf(request), now: request.now })
      return {}
    })
  })
}

async function readForm(request: FastifyRequest): Promise<Form> {
  const bytes = await readBody(request.raw, {
    limitBytes: request.routeOptions.bodyLimit,
    announcedBytes: Number(request.headers['content-length'] ?? 0),
    gates: [],
  })
  const text = decodeBytes(bytes)
  if (text === undefined) throw malformedRequest()
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    // Two readers could take different ones of two values.
    if (form.has(name)) throw new OAuthError('invalid_request', `${name} was sent twice`)
    form.set(name, value)
  }
  return form
}

function formOf({ body }: FastifyRequest): Form {
  if (body instanceof Map) return body as Form
  throw new OAuthError('invalid_request', `The body must be ${FORM}`)
}
