/**
 * The table of all errors for whoever has met one: why it comes, and what to do. The pages of the documentation are
 * made from it, one a code; what the API answers with is declared beside the operations.
 */

interface ErrorPage {
  /** Who meets it. */
  who: 'anyone' | 'agent' | 'worker' | 'operator' | 'processor'
  cause: string
  fix: string
}

export const errorPages: Readonly<Record<string, ErrorPage>> = {
  invalid_request: {
    who: 'anyone',
    cause: 'A field of the body, the path or the query is missing or does not fit its schema.',
    fix:
      'Read `details`: each entry has the `path` of a field and what it must be. Fields that ' +
      'have no effect are no error; they are named in `warnings`.',
  },
  invalid_json: {
    who: 'anyone',
    cause:
      'The body does not parse as JSON, or holds what no database keeps: a NUL character, half ' +
      'a surrogate pair, a `__proto__` member, or nesting of more than 64 levels.',
    fix: 'Let a library write the JSON instead of putting strings together, and send it as UTF-8.',
  },
  malformed_request: {
    who: 'anyone',
    cause:
      'What arrived is not HTTP: a broken request line, a header with forbidden characters, or ' +
      'TLS on a plain port.',
    fix: 'Check the address and the scheme, and whether a proxy between you and us changes requests.',
  },
  headers_too_large: {
    who: 'anyone',
    cause: 'The headers of the request together are larger than 16 kB.',
    fix: 'Send fewer or shorter headers. Cookies that pile up are the usual cause.',
  },
  wrong_origin: {
    who: 'anyone',
    cause:
      'A browser has sent a cookie of ours from a page that is not ours, or without saying ' +
      'from where; or a page that is not ours wants to sign somebody in, or calls `/mcp`.',
    fix:
      'From a program send the key or the token in a header, where no Origin is needed. From a ' +
      'page of yours call your own server, which has the key.',
  },
  route_not_found: {
    who: 'anyone',
    cause: 'No endpoint has this path.',
    fix: 'Compare it with the reference: paths begin with `/api/v1`, and ids are part of the path.',
  },
  method_not_allowed: {
    who: 'anyone',
    cause: 'The path exists, but not with this method.',
    fix: 'The header `Allow` lists the methods that it takes.',
  },
  body_too_large: {
    who: 'anyone',
    cause: 'The body has more than `limit_bytes`. Most endpoints take 1 MB, a proof 12 MB.',
    fix:
      'Send less. Files go by `POST /worker/uploads`, and whatever a task needs beyond its ' +
      'texts by a link in `context`.',
  },
  wrong_content_type: {
    who: 'anyone',
    cause: 'The body is not declared as JSON.',
    fix: 'Send the header `content-type: application/json`. With curl, `-d` alone declares a form.',
  },
  idempotency_mismatch: {
    who: 'anyone',
    cause:
      'This Idempotency-Key came with another method, path or body within the last seven days.',
    fix:
      'Use a new key for each thing that you want done, and the same key only to repeat the ' +
      'very same request.',
  },
  idempotency_in_progress: {
    who: 'anyone',
    cause: 'A request with this Idempotency-Key is still running, perhaps your own first try.',
    fix:
      'Wait for `retry_after_seconds` and send the same request again: it gets the first one’s ' +
      'answer.',
  },
  rate_limited: {
    who: 'anyone',
    cause:
      'More requests than the limit allows have come from this key, agent, worker or address. ' +
      '`limit` says which limit it was.',
    fix:
      'Wait for `retry_after_seconds`. Instead of asking again and again, use `?wait=` on a ' +
      'task, `GET /events?wait=`, or webhooks.',
  },
  server_error: {
    who: 'anyone',
    cause:
      'Something went wrong on our side that we did not expect. It is logged under `request_id`.',
    fix:
      'Send the request again with the same Idempotency-Key: what was done is not done twice. ' +
      'If it stays, tell us the `request_id`.',
  },
  unavailable: {
    who: 'anyone',
    cause: 'The service is restarting, or so busy that waiting would not help you.',
    fix: 'Send the request again after `retry_after_seconds`, with the same Idempotency-Key.',
  },
  invalid_api_key: {
    who: 'agent',
    cause:
      'No key was sent, or one that is mistyped, deleted, rotated away more than a day ago, or ' +
      'of another server.',
    fix:
      'Send `Authorization: Bearer lw_…`. Make a key with `POST /agents/register`, or one for ' +
      'test mode with `npx @legwork/cli init`, without an account.',
  },
  unknown_api_key: {
    who: 'agent',
    cause: 'The key that you sign in to the console with is mistyped, deleted or expired.',
    fix:
      'Copy it once more, whole: it begins with `lw_live_` or `lw_test_`. A key is shown once; ' +
      'if it is lost, make another with one that you still have.',
  },
  already_registered: {
    who: 'agent',
    cause: 'An agent with this e-mail exists, and the request did not prove that it is yours.',
    fix:
      'Send your current live key in the header: then the same call gives you a new key. Else ' +
      'register with another e-mail.',
  },
  key_not_found: {
    who: 'agent',
    cause: 'No key of this agent has this id, or it has ended.',
    fix: '`GET /agents/keys` lists the keys that work. Each mode has its own.',
  },
  too_many_keys: {
    who: 'agent',
    cause: 'An agent has at most ten keys in each mode.',
    fix: 'Delete one that is not used: `last_used_at` in `GET /agents/keys` tells which.',
  },
  key_too_deep: {
    who: 'agent',
    cause: 'Keys stand at most five deep: one that is the agent’s own, and four below each other.',
    fix: 'Make the key with one further up, or with a key of the agent’s own.',
  },
  limited_key: {
    who: 'agent',
    cause:
      'A test agent without an account was to be claimed with a key that may not do everything.',
    fix: 'Register with the key of `POST /test/agents`, or another one without limits.',
  },
  key_scope: {
    who: 'agent',
    cause:
      'The key lacks the scope that this call needs: `create` to post tasks, `review` to judge them, `read` to ' +
      'look, `manage` to change the agent, its keys and its money.',
    fix:
      'Use a key that has `required_scope`. The scopes of a key are fixed when it is made; `GET /agents/keys` ' +
      'shows them.',
  },
  key_type: {
    who: 'agent',
    cause: 'The key may create tasks of some types only, and this is not one of them.',
    fix: 'Use one of `allowed_types`, or a key without this limit.',
  },
  key_cap: {
    who: 'agent',
    cause:
      'The task or the tip would go over a cap of this key, or of a key above it. `cap` says which, `limit_cents` ' +
      'how much it allows, `spent_cents` how much is used.',
    fix:
      'Spend less, wait until the day or the month is over (UTC), or have a key that may raise the cap: ' +
      '`PATCH /agents/keys/:id`. What comes back from cancelled and expired tasks comes back to the cap.',
  },
  own_caps: {
    who: 'agent',
    cause: 'A limited key can’t raise its own caps, or they would be none.',
    fix: 'Use the key that made it, or one without limits.',
  },
  last_key: {
    who: 'agent',
    cause: 'Without this key nobody could act for the agent any more.',
    fix: 'Make another key first, then delete this one.',
  },
  request_not_found: {
    who: 'agent',
    cause:
      'No refused or failed request of this agent has this id. Requests that went well, were ' +
      'not let in (401) or came too often (429) are not kept, and all others for seven days.',
    fix: 'Take the id from `request_id` of an error, and ask with a key of the same mode.',
  },
  upload_not_found: {
    who: 'worker',
    cause: 'The upload is another worker’s, has expired, or never was.',
    fix: 'Begin a new one with `POST /worker/uploads`.',
  },
  too_many_files: {
    who: 'worker',
    cause:
      'A worker may begin ten uploads for a task and 200 in a day. `per` says which bound it was.',
    fix: 'Use the uploads that you have begun, or wait until tomorrow.',
  },
  wrong_offset: {
    who: 'worker',
    cause: 'The part that was sent does not begin where the upload ends so far.',
    fix: 'Go on from `upload_offset`.',
  },
  upload_busy: {
    who: 'worker',
    cause: 'Another request is sending this file at the same time.',
    fix: 'Wait for `retry_after_seconds`, ask where the upload is with `HEAD`, and go on from there.',
  },
  upload_too_long: {
    who: 'worker',
    cause: 'More bytes came than were announced when the upload was begun.',
    fix: 'Begin another upload with the right size.',
  },
  wrong_upload_type: {
    who: 'worker',
    cause: 'The bytes of an upload were sent under another content type.',
    fix: 'Send `content-type: application/offset+octet-stream`.',
  },
  invalid_link: {
    who: 'anyone',
    cause: 'Links to files live for minutes, and this one is over or was changed.',
    fix: 'Ask for the proof again: it has a fresh link.',
  },
  file_not_found: {
    who: 'anyone',
    cause: 'The file is gone: no proof has taken it in time, or it was removed.',
    fix: 'Ask for the proof again; what is not there any more is not listed.',
  },
  range_not_satisfiable: {
    who: 'anyone',
    cause: 'The header Range asks for bytes behind the end of the file.',
    fix: '`bytes` is how long it is.',
  },
  push_unavailable: {
    who: 'worker',
    cause: 'This server pushes nothing, or the push service can’t be reached.',
    fix: 'Look into `GET /worker/notices`: everything is there.',
  },
  subscription_not_found: {
    who: 'worker',
    cause: 'The device is another worker’s, or nothing is pushed to it any more.',
    fix: 'Subscribe again with `POST /worker/push`.',
  },
  test_worker: {
    who: 'worker',
    cause: 'Workers of test mode earn play money, which is paid to nobody.',
    fix: 'Nothing is to be set up. Register as a worker to be paid.',
  },
  account_closed: {
    who: 'worker',
    cause: 'The account at the payment processor was closed.',
    fix: 'Write to support: what you have earned is paid in another way.',
  },
  account_rejected: {
    who: 'worker',
    cause: 'The payment processor has rejected the account.',
    fix: 'Write to support to learn what can be done.',
  },
  account_refused: {
    who: 'worker',
    cause:
      'The payment processor opens no account with these details, most often because of the ' +
      'country.',
    fix: 'Check the country and try again, or write to support.',
  },
  onboarding_required: {
    who: 'worker',
    cause: 'The payout account exists, but the processor’s questions are not answered.',
    fix:
      'Open `onboarding_url` and answer them. It works once and for minutes; `POST ' +
      '/worker/stripe/connect` gives a fresh one.',
  },
  payout_not_found: {
    who: 'operator',
    cause: 'No payout has this id.',
    fix: 'Look the id up with `server ops`.',
  },
  payout_not_in_state: {
    who: 'operator',
    cause: 'The payout has moved on, or has not come so far.',
    fix: '`status` says where it is.',
  },
  reversal_too_large: {
    who: 'operator',
    cause: 'Part of the payout was taken back before.',
    fix: 'Take back at most `left_cents`.',
  },
  notifications_off: {
    who: 'processor',
    cause: 'This server has no signing secret for notifications of this kind.',
    fix: 'Set STRIPE_SECRETS_ACCOUNT, STRIPE_SECRETS_CONNECT or STRIPE_SECRETS_V2.',
  },
  notification_refused: {
    who: 'processor',
    cause: 'The signature does not fit the body, or is more than minutes old.',
    fix: 'Compare the signing secret with the processor’s, and the clocks of both machines.',
  },
  payments_unavailable: {
    who: 'anyone',
    cause: 'This server has no payment processor.',
    fix: 'In test mode money is play money and needs none. Else set STRIPE_SECRET_KEY.',
  },
  processor_unavailable: {
    who: 'anyone',
    cause: 'The payment processor does not answer.',
    fix: 'Repeat the request after `retry_after_seconds` with its Idempotency-Key: it has one effect.',
  },
  test_mode_only: {
    who: 'agent',
    cause: 'The clock and the workers of test mode were asked for with a live key.',
    fix: 'Use your `lw_test_` key. In live mode time passes by itself, and people do the work.',
  },
  too_many_test_tasks: {
    who: 'agent',
    cause:
      'The clock of test mode makes every unfinished test task older, one step after the other, and you have too many.',
    fix: 'Cancel those that you do not need with `POST /tasks/:id/cancel`, withdraw disputes, then move the clock.',
  },
  too_many_test_workers: {
    who: 'agent',
    cause:
      'Each call of `POST /test/workers` makes another worker, and a test agent has a few only.',
    fix: 'Go on with the token of one of them, which works for 7 days.',
  },
  task_not_found: {
    who: 'anyone',
    cause:
      'No task has this id, or it belongs to somebody else: both are answered alike. A task of ' +
      'test mode is not there for a live key, nor the other way round.',
    fix: 'Check the id and the mode of your key; `GET /tasks` lists your tasks.',
  },
  invalid_state: {
    who: 'agent',
    cause:
      'What you ask for is not possible in the task’s status: a completed task can’t be ' +
      'cancelled, one without a proof can’t be approved.',
    fix:
      '`status` says where the task is. Read it again before you decide; somebody or a timer ' +
      'may have been faster.',
  },
  insufficient_funds: {
    who: 'agent',
    cause:
      'The wallet holds less than the task locks, and no free task is left or the budget is ' +
      'too large for one. For a tip, the wallet holds less than the tip.',
    fix:
      '`required_cents` less `balance_cents` is missing. `POST /wallet/deposit` takes 500 ' +
      'cents or more; what open tasks hold comes back when they are cancelled or expire.',
  },
  agent_restricted: {
    who: 'agent',
    cause:
      'A payment was charged back, or an operator has restricted the agent. It creates no ' +
      'tasks until that is settled; what workers have accepted goes on.',
    fix: 'Write to support.',
  },
  level_too_low: {
    who: 'worker',
    cause: 'The task asks for a higher level, by its budget or because the agent wants it so.',
    fix: 'Take tasks that your level allows: approved work and trust raise it.',
  },
  no_slot: {
    who: 'worker',
    cause: 'Others have taken all places in this task, or it has ended.',
    fix: 'Take another one from the feed.',
  },
  retake_too_soon: {
    who: 'worker',
    cause: 'Your time for this task ran out less than a day ago.',
    fix: 'You can take it from `retry_at` on, if it is still there.',
  },
  assignment_not_found: {
    who: 'worker',
    cause: 'You have not accepted this task.',
    fix: 'Accept it first with `POST /worker/tasks/:id/accept`.',
  },
  assignment_ended: {
    who: 'worker',
    cause:
      'Your part in this task is over: the proof is in, it was handed back, the time ran out, ' +
      'or it was cancelled.',
    fix: '`status` says which. `GET /worker/tasks/:id` shows what came of it.',
  },
  consensus_conflict: {
    who: 'agent',
    cause: 'The workers’ answers do not agree, so that there is no result to approve.',
    fix:
      'Read `votes`, then approve with `override_result`. Everybody who worked honestly is ' +
      'paid, whatever you choose.',
  },
  revision_used: {
    who: 'agent',
    cause: 'A revision of a proof can be asked for once.',
    fix: 'Approve it, or dispute it with a reason.',
  },
  not_disputed: {
    who: 'worker',
    cause: 'Your work for this task is not disputed, so there is nothing to appeal against.',
    fix: '`status` says where your work is.',
  },
  appeal_used: {
    who: 'worker',
    cause: 'You have appealed against this dispute before.',
    fix: 'Wait for the decision: you are told of it.',
  },
  appeal_too_late: {
    who: 'worker',
    cause: 'An appeal is possible for 72 hours.',
    fix: 'Write to support if something has kept you from it.',
  },
  no_appeal: {
    who: 'agent',
    cause: 'The worker has not appealed, or the appeal is decided.',
    fix: 'Nothing is to be answered. `GET /tasks/:id` shows the dispute.',
  },
  appeal_answered: {
    who: 'agent',
    cause: 'You have answered this appeal.',
    fix: 'An operator decides; `task.dispute_resolved` tells how.',
  },
  answer_too_late: {
    who: 'agent',
    cause: 'You had 48 hours to answer, and silence concedes.',
    fix: 'The worker is paid. Handle `task.appealed` to answer in time.',
  },
  withdraw_too_late: {
    who: 'agent',
    cause: 'A dispute can be withdrawn for 30 days.',
    fix: 'Nothing can be changed any more.',
  },
  appeal_not_found: {
    who: 'operator',
    cause: 'No appeal has this id, or the task has several.',
    fix: 'Name the appeal itself.',
  },
  appeal_not_answered: {
    who: 'operator',
    cause: 'The agent still has time to answer.',
    fix: 'Decide after `agent_until`, or after the answer.',
  },
  appeal_ruled: {
    who: 'operator',
    cause: 'Somebody has decided this appeal.',
    fix: '`ruling` says how.',
  },
  refund_above_wallet: {
    who: 'operator',
    cause: 'The agent’s wallet holds less.',
    fix: 'Refund at most `balance_cents`.',
  },
  refund_above_deposits: {
    who: 'operator',
    cause: 'Less than that was paid in by card and can still go back.',
    fix: 'Refund at most `refundable_cents`.',
  },
  refund_of_restricted: {
    who: 'operator',
    cause: 'The agent is restricted.',
    fix: 'Settle what it is restricted for, and lift the restriction.',
  },
  write_off_above_debt: {
    who: 'operator',
    cause: 'The agent owes less.',
    fix: 'Write off at most `owed_cents`.',
  },
  event_not_found: {
    who: 'agent',
    cause: 'No event of this agent has this id, or it is older than 30 days.',
    fix: '`GET /events` lists those that are kept, for the mode of your key.',
  },
  no_webhook_url: {
    who: 'agent',
    cause: 'The agent has no address for webhooks, and the request names none.',
    fix: 'Set one with `PATCH /agents/me {"webhook_url": "https://…"}`, or send `url` along.',
  },
  webhook_disabled: {
    who: 'agent',
    cause:
      'The address has answered 410, or failed for five days, and nothing is sent there any more.',
    fix:
      'Repair it, then `POST /webhooks/ping` with this `url`: a 2xx enables it again. `POST ' +
      '/events/replay` sends what it has missed.',
  },
  cursor_expired: {
    who: 'agent',
    cause: 'The event after which you want to go on is older than the 30 days that are kept.',
    fix: 'Ask without `after`: that begins with the oldest that is kept.',
  },
  invalid_token: {
    who: 'worker',
    cause:
      'No token was sent, or it has expired, or a new password, a log-out everywhere or a ' +
      'suspension has ended it.',
    fix: 'Log in again with `POST /worker/login`.',
  },
  invalid_password: {
    who: 'worker',
    cause:
      'The password is wrong, or nobody is registered with this e-mail: both are answered alike.',
    fix: 'Try again, or choose a new password by `POST /worker/password/forgot`.',
  },
  email_not_verified: {
    who: 'worker',
    cause: 'Nobody has followed the link in the mail yet.',
    fix: 'Follow it, or have another sent by `POST /worker/verify/resend`.',
  },
  worker_suspended: {
    who: 'worker',
    cause: 'The account is suspended.',
    fix: 'Write to support. What you have earned stays yours.',
  },
  worker_exists: {
    who: 'worker',
    cause: 'A worker with this e-mail is registered.',
    fix: 'Log in, or choose a new password by `POST /worker/password/forgot`.',
  },
  invalid_mail_link: {
    who: 'worker',
    cause: 'The link was used, is too old, or a newer one was sent.',
    fix: 'Ask for a new one: `POST /worker/verify/resend` or `POST /worker/password/forgot`.',
  },
  worker_not_found: {
    who: 'anyone',
    cause: 'No worker has this id, or the profile is not public.',
    fix: 'Check the id: it begins with `worker_`.',
  },
}
