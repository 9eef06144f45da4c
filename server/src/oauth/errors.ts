import { defineError } from '../kit/errors.ts'

export const appUnknown = defineError(
  404,
  'app_unknown',
  'This app is not registered here, or its registration has expired',
  {},
  {
    who: 'agent',
    cause:
      'The address of the consent page names a client that did not register, or that registered more than a day ' +
      'ago without being approved.',
    fix: 'Connect again from the app, so that it registers again.',
    hint: 'Connect again from the app',
  },
)
export const wrongRedirect = defineError(
  400,
  'wrong_redirect',
  'The app wants to be answered at an address that it did not register',
  {},
  {
    who: 'agent',
    cause:
      'The `redirect_uri` of the request is not one that the client registered, or is neither https nor on this ' +
      'machine. Somebody may be trying to get access in the name of another app.',
    fix: 'Don’t continue. If you develop the app, register exactly the `redirect_uri` that it sends.',
    hint: 'Do not continue. Connect again from the app itself',
  },
)
export const connectionNotFound = defineError(
  404,
  'connection_not_found',
  'This connection does not exist or has ended',
  {},
  {
    who: 'agent',
    cause: 'The id is wrong, the connection has ended, or it is above the key that asks.',
    fix: 'List the connections with `GET /agents/connections`.',
  },
)
