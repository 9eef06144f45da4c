import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow'

export class LegworkApi implements ICredentialType {
  name = 'legworkApi'

  displayName = 'Legwork API'

  documentationUrl = 'https://legwork.example/docs/keys'

  icon = {
    light: 'file:../icons/legwork.light.svg',
    dark: 'file:../icons/legwork.dark.svg',
  } as const

  properties: INodeProperties[] = [
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Begin with a test key: scripted workers answer, and the money is play money',
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'https://legwork.example/api/v1',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl}}', url: '/agents/me' },
  }
}
