import { defineError } from '../kit/errors.ts'

export const pushUnavailable = defineError(
  503,
  'push_unavailable',
  'Nothing can be pushed at the moment; your notices are in the app',
  {},
  {
    who: 'worker',
    cause: 'This server pushes nothing, or the push service can’t be reached.',
    fix: 'Look into `GET /worker/notices`: everything is there.',
  },
)
export const subscriptionNotFound = defineError(
  404,
  'subscription_not_found',
  'There is no such subscription',
  {},
  {
    who: 'worker',
    cause: 'The device is another worker’s, or nothing is pushed to it any more.',
    fix: 'Subscribe again with `POST /worker/push`.',
  },
)
