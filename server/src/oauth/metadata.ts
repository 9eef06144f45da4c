/** The metadata that clients read before they ask for access (RFC 9728, RFC 8414). */
import type { Config } from '../config.ts'
import type { Scope } from '../kit/endpoint.ts'
import { publicUrl } from '../kit/public-url.ts'

type Settings = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** The scopes that a client can get. `manage` is for people and their own keys. */
export const GRANTABLE = ['create', 'review', 'read'] as const satisfies readonly Scope[]
export type Grantable = (typeof GRANTABLE)[number]

export const issuerOf = (config: Settings) => publicUrl(config)

/** The only resource that tokens are for. */
export const resourceOf = (config: Settings) => `${publicUrl(config)}/mcp`

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp'

export const resourceMetadata = (config: Settings) => ({
  resource: resourceOf(config),
  authorization_servers: [issuerOf(config)],
  scopes_supported: GRANTABLE,
  bearer_methods_supported: ['header'],
  resource_name: 'Legwork',
  resource_documentation: `${publicUrl(config)}/docs/connect-apps`,
})

export const serverMetadata = (config: Settings) => ({
  issuer: issuerOf(config),
  authorization_endpoint: `${publicUrl(config)}/console/connect`,
  token_endpoint: `${publicUrl(config)}/oauth/token`,
  registration_endpoint: `${publicUrl(config)}/oauth/register`,
  revocation_endpoint: `${publicUrl(config)}/oauth/revoke`,
  scopes_supported: GRANTABLE,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  // Clients have no secrets: what binds a code to its client is PKCE.
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl(config)}/docs/connect-apps`,
})
