/**
 * A company's OpenID provider on loopback: the real package, in which somebody is signed in already. Tests decide who,
 * and let it lie.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
}

export type OpenIdProvider = Awaited<ReturnType<typeof openProvider>>

export async function openProvider() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secret = 'a secret that only the desk and the provider know'
  const state = {
    /** The person who is signed in at the provider. */
    person: { sub: 'nobody' } as Person,
    /** Replaces the ID token that the desk gets. */
    idToken: undefined as string | undefined,
    redirects: { desk: [] as string[], other: [] as string[] },
  }
  const people = new Map<string, Person>()
  const client = (client_id: 'desk' | 'other') => ({
    client_id,
    client_secret: secret,
    get redirect_uris() {
      return state.redirects[client_id]
    },
    token_endpoint_auth_method: 'client_secret_post' as const,
  })
  const start = () => {
    const configuration: Configuration = {
      clients: [{ ...client('desk') }, { ...client('other') }],
      cookies: { keys: ['only for tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/login/${uid}` },
      ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({ ...(people.get(sub) ?? { sub }) }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({
          accountId: oidc.session!.accountId!,
          clientId: oidc.client!.clientId,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    }
    const provider = new Provider(issuer, configuration)
    provider.use(async (context, next) => {
      await next()
      const body = context.body as { id_token?: string } | undefined
      if (state.idToken !== undefined && body?.id_token !== undefined) body.id_token = state.idToken
    })
    const answer = provider.callback()
    server.on('request', (request, response) => {
      if (!request.url!.startsWith('/login/')) return void answer(request, response)
      people.set(state.person.sub, state.person)
      void provider.interactionFinished(request, response, {
        login: { accountId: state.person.sub },
      })
    })
  }
  return {
    issuer,
    secret,
    state,
    /** The addresses to which it may send browsers are known once the desk has its port. */
    allow(redirects: { desk: string; other: string }) {
      state.redirects = { desk: [redirects.desk], other: [redirects.other] }
      start()
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
