/** Sends the form of the page /do-not-contact. */
interface Reply {
  message?: string
  error?: string
  details?: { path: string; message: string }[]
}

const form = document.querySelector<HTMLFormElement>('#do-not-contact')!

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})

async function send(): Promise<void> {
  const button = form.querySelector('button')!
  const said = form.querySelector<HTMLElement>('[role="status"]')!
  const fields = [...new FormData(form)].filter(([, value]) => value !== '')
  button.disabled = true
  said.textContent = 'Sending…'
  try {
    const response = await fetch('/api/v1/do-not-contact/requests', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields)),
    })
    const reply = (await response.json()) as Reply
    said.textContent = response.ok ? (reply.message ?? '') : problemOf(reply)
    if (response.ok) form.reset()
  } catch {
    said.textContent = 'We couldn’t reach the server. Check your connection and try again.'
  }
  button.disabled = false
}

function problemOf({ error = 'Something went wrong', details: [first] = [] }: Reply): string {
  if (first === undefined) return `${error}. Try again later.`
  return `${first.path === 'value' ? 'This' : 'The email'} ${first.message}.`
}

export {}
