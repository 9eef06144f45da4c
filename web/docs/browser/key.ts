/** Fills the reader's test key into every sample. It is stored for this window only, and live keys are rejected. */
import { keepKey, keptIds, keptKey, TEST_KEY } from './session-values.ts'
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
  const said = make('p', { class: 'said', role: 'status' })
  const fresh = make('button', { type: 'button', class: 'button strong' }, 'Make one for me')
  const forget = make('button', { type: 'button', class: 'button' }, 'Forget it')
  const details = make(
    'details',
    { class: 'key' },
    summary,
    make(
      'div',
      {},
      make('label', { for: 'docs-key' }, 'Your test key'),
      input,
      make('p', {}, 'It is put into the samples, and Run uses it. It stays in this window.'),
      said,
      make('div', { class: 'buttons' }, fresh, forget),
    ),
  )
  place.append(details)

  input.addEventListener('input', () => {
    const key = input.value.trim()
    if (TEST_KEY.test(key)) {
      keepKey(key)
      said.textContent = 'It is in the samples now.'
    } else if (key.startsWith('lw_live_'))
      said.textContent =
        'That is a live key, which costs real money. Take one that begins with lw_test_.'
    else said.textContent = ''
  })
  fresh.addEventListener('click', () => {
    said.textContent = 'A moment…'
    void makeAgent().then((words) => {
      said.textContent = words
    })
  })
  forget.addEventListener('click', () => {
    input.value = ''
    keepKey(null)
    said.textContent = 'Forgotten.'
  })
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    details.open = false
    summary.focus()
  })

  const refresh = () => {
    const key = keptKey()
    summary.textContent = key === null ? 'Add a test key' : `Test key ${key.slice(0, 12)}…`
    details.toggleAttribute('data-has', key !== null)
    forget.hidden = key === null
    if (key !== null && input.value === '') input.value = key
    fillIn(key)
  }
  document.addEventListener('legwork-kept', refresh)
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
    if (!answer.agent) return answer.error ?? 'The server has made none.'
    keepKey(answer.agent.test_api_key)
    say('A test agent was made, and its key is in the samples.')
    return 'A test agent with play money. It lives for seven days unless you claim it in the console.'
  } catch {
    return 'The server could not be reached. Try again in a moment.'
  }
}

/** Replaces the samples' variables with the reader's values. */
function fillIn(key: string | null): void {
  const values: Record<string, string | undefined> = {
    ...Object.fromEntries(Object.entries(keptIds()).map(([name, id]) => [`$${name}`, id])),
    $LEGWORK_API_KEY: key ?? undefined,
    $LEGWORK_URL: `${location.origin}/api/v1`,
  }
  for (const variable of document.querySelectorAll<HTMLElement>('.panel .hljs-variable')) {
    variable.dataset.name ??= variable.textContent!
    variable.textContent = values[variable.dataset.name] ?? variable.dataset.name
  }
}
