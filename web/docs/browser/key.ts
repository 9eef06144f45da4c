/** Fills the reader's test key into every sample. It is stored for this window only, and live keys are rejected. */
import { storeKey, storedIds, storedKey, TEST_KEY } from './session-values.ts'
import { make, say, slot } from './page.ts'

export function addKey(): void {
  const place = slot('key')
  if (!place) return
  const summary = make('summary')
  const input = make('input', {
    id: 'docs-key',
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'lw_test_…',
  })
  const status = make('p', { class: 'said', role: 'status' })
  const fresh = make('button', { type: 'button', class: 'button strong' }, 'Create a test key')
  const forget = make('button', { type: 'button', class: 'button' }, 'Remove')
  const details = make(
    'details',
    { class: 'key' },
    summary,
    make(
      'div',
      {},
      make('label', { for: 'docs-key' }, 'Your test key'),
      input,
      make(
        'p',
        {},
        'We use it in the samples and when you run them. It’s stored only in this window.',
      ),
      status,
      make('div', { class: 'buttons' }, fresh, forget),
    ),
  )
  place.append(details)

  input.addEventListener('input', () => {
    const key = input.value.trim()
    if (TEST_KEY.test(key)) {
      storeKey(key)
      status.textContent = 'Added to the samples.'
    } else if (key.startsWith('lw_live_'))
      status.textContent =
        'This is a live key, which spends real money. Use a key that starts with lw_test_.'
    else status.textContent = ''
  })
  fresh.addEventListener('click', () => {
    status.textContent = 'Creating…'
    void makeAgent().then((words) => {
      status.textContent = words
    })
  })
  forget.addEventListener('click', () => {
    input.value = ''
    storeKey(null)
    status.textContent = 'Removed.'
  })
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    details.open = false
    summary.focus()
  })

  const refresh = () => {
    const key = storedKey()
    summary.textContent = key === null ? 'Add a test key' : `Test key ${key.slice(0, 12)}…`
    details.toggleAttribute('data-has', key !== null)
    forget.hidden = key === null
    if (key !== null && input.value === '') input.value = key
    fillIn(key)
  }
  document.addEventListener('legwork-stored', refresh)
  refresh()
}

async function makeAgent(): Promise<string> {
  try {
    const response = await fetch('/api/v1/test/agents', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    const answer = (await response.json()) as { agent?: { test_api_key: string }; error?: string }
    if (!answer.agent) return answer.error ?? 'The server couldn’t create a key.'
    storeKey(answer.agent.test_api_key)
    say('Test agent created. Its key was added to the samples.')
    return 'Created a test agent with play money. It’s deleted after seven days unless you claim it in the console.'
  } catch {
    return 'Can’t reach the server. Try again in a moment.'
  }
}

/** Replaces the samples' variables with the reader's values. */
function fillIn(key: string | null): void {
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(storedIds()).map(([name, id]) => [`$${name}`, id])),
    $LEGWORK_API_KEY: key ?? undefined,
    $LEGWORK_URL: `${location.origin}/api/v1`,
  }
  for (const variable of document.querySelectorAll<HTMLElement>('.panel .hljs-variable')) {
    variable.dataset.name ??= variable.textContent!
    variable.textContent = values[variable.dataset.name] ?? variable.dataset.name
  }
}
