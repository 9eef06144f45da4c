import { defineError } from '../kit/errors.ts'

export const pushUnavailable = defineError(
  503,
  'push_unavailable',
  'Push messages can’t be sent at the moment; your notices are in the app',
  {},
  {
    who: 'worker',
    cause: 'This server does not send push messages, or the push service can’t be reached.',
    fix: 'Use `GET /worker/notices`: it lists all notices.',
  },
)
export const subscriptionNotFound = defineError(
  404,
  'subscription_not_found',
  'This subscription does not exist',
  {},
  {
    who: 'worker',
    cause: 'The device belongs to another worker, or its subscription has ended.',
    fix: 'Subscribe again with `POST /worker/push`.',
  },
)
