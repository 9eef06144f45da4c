import { defineError } from '../kit/errors.ts'

export const pushUnavailable = defineError(
  503,
  'push_unavailable',
  'Nothing can be pushed at the moment; your notices are in the app',
)
export const subscriptionNotFound = defineError(
  404,
  'subscription_not_found',
  'There is no such subscription',
)
