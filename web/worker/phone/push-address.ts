/** A browser's push endpoint and encryption keys, and the server's key that it is bound to, in the API's format. */
export function addressOf(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  const { applicationServerKey } = subscription.options
  return {
    endpoint: endpoint!,
    keys: { p256dh: keys!.p256dh!, auth: keys!.auth! },
    ...(applicationServerKey === null ? {} : { public_key: base64url(applicationServerKey) }),
  }
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
