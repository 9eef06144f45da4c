import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newEmail, PASSWORD, signUp } from '../people.ts'
import { openHome, openPhone, type Phone, press } from './phone.ts'

const { market, origin } = await openHome({ mail: true, settings: { PASSWORD_BLOCKLIST: 'on' } })
const HAMBURG = { latitude: 53.5511, longitude: 9.9937 }

const agent = await market.agent({ balanceCents: 10_000 })
for (const task of [
  { description: 'Is the bakery at the corner open right now?', budget_cents: 500 },
  {
    description: 'Photograph five oat milk price labels.',
    budget_cents: 1500,
    proof_required: 'photo',
    location: { lat: 53.553, lng: 9.995, label: 'Hamburg' },
  },
  { description: 'Does this logo look like a bank that you would trust?', budget_cents: 300 },
]) {
  const { status, text } = await agent.post('/tasks', { type: 'custom', deadline: '5h', ...task })
  assert.equal(status, 201, text)
}
// Moves events from the outbox to the feed.
await market.events()
market.advance(1)

/** The link in the latest email to this address. */
async function linkTo(email: string): Promise<string> {
  await market.work()
  const { links } = await market.inbox.mailTo(email)
  return links[0]!.href
}

async function fillIn(phone: Phone, person: { name: string; email: string; password: string }) {
  await phone.page.getByLabel('Name').fill(person.name)
  await phone.page.getByLabel('Email').fill(person.email)
  await phone.page.getByLabel('Password', { exact: true }).fill(person.password)
  await phone.page.getByLabel('I’m 18 or older').check()
}

const person = (name: string) => ({ name, email: newEmail(), password: PASSWORD })

describe('joining', () => {
  test('says before it that nobody is paid in this country, and where we pay', async () => {
    const phone = await openPhone({ timeZone: 'Europe/Kyiv' })
    const { page } = phone

    await phone.open(`${origin}/hello`)
    await page.getByText('We can’t pay in your country yet: Ukraine').waitFor()
    await phone.look('join-country-1-hello')
    await page.getByRole('link', { name: 'Join', exact: true }).tap()
    await phone.heading('Join')
    await page.getByText('We can’t pay in your country yet: Ukraine').waitFor()
    await page.getByText('Where we pay', { exact: true }).tap()
    await page.getByText(/Germany, /).waitFor()
    await phone.look('join-country-2-join')
    await phone.close()
  })

  test('says nothing of countries where we pay', async () => {
    const phone = await openPhone({ timeZone: 'Europe/Berlin' })
    await phone.open(`${origin}/hello`)
    await phone.page.getByText('Is the bakery at the corner open right now?').waitFor()

    assert.equal(await phone.page.getByText('your country').count(), 0)
    await phone.close()
  })

  test('in Spanish sends the email in Spanish', async () => {
    const { name, email, password } = person('Ana')
    const phone = await openPhone({ language: 'es-MX' })
    const { page } = phone
    await phone.open(`${origin}/join`)

    await page.getByLabel('Nombre').fill(name)
    await page.getByLabel('Correo electrónico').fill(email)
    await page.getByLabel('Contraseña', { exact: true }).fill(password)
    await page.getByLabel('Tengo 18 años o más').check()
    await press(phone, 'Crear cuenta')
    await phone.heading('Revisa tu correo')
    await market.work()

    const mail = await market.inbox.mailTo(email)
    assert.equal(mail.subject, 'Confirma tu correo para Legwork')
    await phone.close()
  })

  test('leads from a link to the first tasks: preview, registration, confirmation, two questions', async () => {
    const ada = person('Ada')
    const phone = await openPhone({ permissions: ['geolocation'], position: HAMBURG })
    const { page } = phone

    await phone.open(origin)
    await page.getByText('Is the bakery at the corner open').waitFor()
    assert.equal(new URL(page.url()).pathname, '/hello')
    assert.equal(
      await page.getByText('oat milk').count(),
      0,
      'no place is known before it is asked',
    )
    await phone.look('join-1-hello')
    await press(phone, 'Near me')
    await page.getByText('oat milk').waitFor()
    await phone.look('join-2-near')
    await page.getByRole('link', { name: 'Join' }).tap()
    await phone.heading('Join')
    await fillIn(phone, ada)
    await page.getByText('Good: hard to guess').waitFor()
    await phone.look('join-3-join')
    await press(phone, 'Join')
    await page.getByText(ada.email).waitFor()
    await page.reload()
    await page.getByText(ada.email).waitFor()
    await phone.look('join-4-check-mail')
    await phone.open(await linkTo(ada.email))
    await phone.heading('Confirm your email')
    await phone.look('join-5-verify')
    await press(phone, 'Confirm my email')
    await phone.heading('Two quick questions')
    await page.getByRole('button', { name: 'Photography' }).tap()
    await page.getByLabel('Something else').fill('Bicycle repair')
    await press(phone, 'Add')
    await page.getByRole('combobox', { name: 'City or town' }).fill('Hamburg')
    await phone.look('join-6-setup')
    await press(phone, 'Show my tasks')
    await page.waitForURL(`${origin}/`)
    await phone.close()

    const worker = await market.db.reader
      .selectFrom('workers')
      .selectAll()
      .where('email', '=', ada.email)
      .executeTakeFirstOrThrow()
    assert.equal(worker.status, 'active')
    assert(worker.adult_confirmed_at !== null)
    assert.equal(worker.terms_version, market.server.config.TERMS_VERSION)
    assert.deepEqual(worker.skills, ['photography', 'bicycle repair'])
    const { label, lat, radius_km } = worker.location as Record<string, unknown>
    assert.deepEqual({ label, radius_km }, { label: 'Hamburg, Germany', radius_km: 10 })
    assert.equal(Math.round(lat as number), 54)
  })

  test('continues on the waiting phone when the link is opened on another', async () => {
    const ben = person('Ben')
    const [waiting, other] = [await openPhone(), await openPhone()]
    await waiting.open(`${origin}/join`)
    await fillIn(waiting, ben)
    await press(waiting, 'Join')
    await waiting.page.getByText(ben.email).waitFor()

    await other.open(await linkTo(ben.email))
    await press(other, 'Confirm my email')

    await other.heading('Your email is confirmed')
    await other.look('join-7-confirmed-elsewhere')
    await waiting.heading('Two quick questions')
    await waiting.close()
    await other.close()
  })

  test('works by keyboard only', async () => {
    const { name, email, password } = person('Kim')
    const phone = await openPhone()
    const { page } = phone
    await phone.open(`${origin}/hello`)
    await page.getByText('Is the bakery').waitFor()

    await phone.enter('Join')
    await phone.heading('Join')
    await phone.type('Name', name)
    await phone.type('Email', email)
    await phone.type('Password', password)
    await phone.tabTo('I’m 18 or older')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText(email).waitFor()
    await phone.open(await linkTo(email))
    await phone.enter('Confirm my email')
    await phone.heading('Two quick questions')
    await phone.tabTo('Walking')
    await page.keyboard.press('Space')
    await phone.type('City or town', 'Berlin')
    await phone.enter('Show my tasks')

    await page.waitForURL(`${origin}/`)
    await phone.close()
  })

  test('shows errors at their fields, which get the focus', async () => {
    const taken = await signUp(market)
    const phone = await openPhone()
    const { page } = phone
    await phone.open(`${origin}/join`)
    await press(phone, 'Join')
    await page.getByText('Enter a name.').waitFor()
    assert(await phone.hasFocus('input[name=name]'))
    await phone.look('join-8-problems')

    await fillIn(phone, { name: 'Ada', email: taken.email, password: 'another password' })
    await press(phone, 'Join')
    await page.getByText('An account with this email already exists').waitFor()
    assert(await phone.hasFocus('input[name=email]'))

    await fillIn(phone, { name: 'Ada', email: newEmail(), password: '12345678' })
    await press(phone, 'Join')
    await page.getByText('very common and easy to guess').waitFor()
    assert(await phone.hasFocus('input[name=password]'))
    await phone.close()
  })

  test('logs in somebody who is already registered and knows the password', async () => {
    const { email, password } = await signUp(market)
    const phone = await openPhone()
    await phone.open(`${origin}/join`)

    await fillIn(phone, { name: 'Ada', email, password })
    await press(phone, 'Join')

    await phone.heading('Two quick questions')
    await phone.close()
  })

  test('asks a worker who joined elsewhere once to confirm being an adult', async () => {
    const worker = await market.worker()
    await market.asOwner('update workers set adult_confirmed_at = null where id = $1', [worker.id])
    const agent = await market.agent({ balanceCents: 5000 })
    const tasks: string[] = []
    for (const description of ['Is the lamp in the back yard on at night?', 'Is the shop open?'])
      tasks.push(
        (await agent.post('/tasks', { description, budget_cents: 500, location: 'Hamburg' })).body
          .task.id,
      )
    await market.work()
    const phone = await openPhone()
    const { page } = phone
    await phone.as(worker, origin)

    await phone.open(`${origin}/task/${tasks[0]}`)
    await page.getByText('At night · Private ground · You’re alone').waitFor()
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.getByText('You must be 18 or older').waitFor()
    await phone.look('join-9-adult')
    await page.getByLabel('I’m 18 or older').check()
    await page.getByRole('button', { name: /^Accept/ }).tap()
    await page.waitForURL(`${origin}/active/${tasks[0]}`)
    await phone.open(`${origin}/task/${tasks[1]}`)
    await page.getByRole('button', { name: /^Accept/ }).waitFor()
    const asked = await page.getByLabel('I’m 18 or older').count()
    await phone.close()

    assert.equal(asked, 0)
    const { body } = await worker.get('/worker/session')
    assert(body.worker.adult_confirmed_at !== null)
  })

  test('shows the risks of a task on its card', async () => {
    const worker = await market.worker()
    const agent = await market.agent({ balanceCents: 5000 })
    await agent.post('/tasks', {
      description: 'Photograph the hut by the motorway after dark',
      budget_cents: 500,
      location: 'Hamburg',
    })
    await market.work()
    const phone = await openPhone()
    await phone.as(worker, origin)

    await phone.open(origin)
    await phone.page.getByText('At night · Near traffic · You’re alone').first().waitFor()
    await phone.look('join-10-risks')
    await phone.close()
  })

  test('shows a warning of the screening on the card and the page, also without a place', async () => {
    const worker = await market.worker()
    const agent = await market.agent({ balanceCents: 5000 })
    const { body } = await agent.post('/tasks', {
      description:
        'Buy a map at the tourist office; we’ll reimburse you. Call the museum and leave your number',
      budget_cents: 500,
    })
    await market.work()
    const phone = await openPhone()
    await phone.as(worker, origin)
    const line = phone.page.getByText('You pay first · They’ll see your number').first()

    await phone.open(origin)
    await line.waitFor()
    await phone.look('join-11-warning')
    await phone.open(`${origin}/task/${body.task.id}`)
    await line.waitFor()
    await phone.look('join-12-warning-page')
    await phone.close()
  })

  test('says that a place is unknown, and lets it be skipped', async () => {
    const worker = await market.worker()
    const phone = await openPhone()
    await phone.as(worker, origin)
    await phone.open(`${origin}/setup`)

    await phone.page.getByRole('combobox', { name: 'City or town' }).fill('Nowhereville')
    await press(phone, 'Show my tasks')
    await phone.page.getByText('We don’t know this place.').waitFor()
    await phone.page.getByRole('link', { name: 'Skip', exact: true }).tap()

    await phone.page.waitForURL(`${origin}/`)
    await phone.close()
  })

  test('says what to do if the position is denied', async () => {
    const phone = await openPhone()
    await phone.open(`${origin}/hello`)

    await press(phone, 'Near me')

    await phone.page.getByText('Your browser blocks access to your location.').waitFor()
    await phone.close()
  })
})

describe('logging in', () => {
  test('shows a wrong password at the field; the right one leads to the requested page', async () => {
    const { email, password } = await signUp(market)
    const phone = await openPhone()
    const { page } = phone
    await phone.open(`${origin}/me/profile`)
    await phone.heading('Log in')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await press(phone, 'Log in')
    await page.getByText('Wrong email or password.').waitFor()
    assert(await phone.hasFocus('input[name=password]'))
    await phone.look('login-1-wrong')

    await press(phone, 'Show password')
    assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(phone, 'Log in')

    await phone.heading('Profile & preferences')
    const cookies = await phone.context.cookies()
    assert.deepEqual(
      cookies.map(({ name, httpOnly, secure }) => ({ name, httpOnly, secure })),
      [{ name: '__Host-legwork', httpOnly: true, secure: true }],
    )
    const kept = await page.evaluate('JSON.stringify({...localStorage})')
    assert(!String(kept).includes(password) && !String(kept).includes(cookies[0]!.value))
    await phone.close()
  })

  test('waits for the confirmation mail before the email is confirmed, and can resend it', async () => {
    const { email, password } = await signUp(market, { isVerified: false })
    const phone = await openPhone()
    await phone.page.clock.install()
    await phone.open(`${origin}/login`)
    await phone.page.getByLabel('Email').fill(email)
    await phone.page.getByLabel('Password', { exact: true }).fill(password)

    await press(phone, 'Log in')

    await phone.heading('Check your email')
    await phone.page.getByText(email).waitFor()
    await phone.page.getByRole('button', { name: /Resend in \d+ s/ }).waitFor()
    await phone.page.clock.fastForward(31_000)
    await press(phone, 'Resend email')
    await phone.page.getByText('We sent another link.').waitFor()
    assert.match(await linkTo(email), /\/verify\?token=/)
    await phone.open(`${origin}/earnings`)
    await phone.heading('Check your email')
    await phone.close()
  })

  test('does not redirect to another site', async () => {
    const { email, password } = await signUp(market)
    const phone = await openPhone()
    await phone.open(`${origin}/login?next=${encodeURIComponent('//evil.example/')}`)
    await phone.page.getByLabel('Email').fill(email)
    await phone.page.getByLabel('Password', { exact: true }).fill(password)

    await press(phone, 'Log in')

    await phone.page.waitForURL(`${origin}/`)
    await phone.close()
  })
})

describe('logging in as a test worker', () => {
  test('asks before it replaces a session, then shows the agent’s own test task, marked as such', async () => {
    const { test: tester } = agent
    await tester.post('/tasks', {
      description: 'Is this only a rehearsal?',
      budget_cents: 500,
      context: { sim: 'me' },
    })
    const { body } = await tester.post('/test/workers', { name: 'Player' })
    const path = new URL(body.app_url as string)
    const ann = await market.worker({ name: 'Ann' })
    const phone = await openPhone()
    const { page } = phone

    await phone.as(ann, origin)
    await phone.open(`${origin}${path.pathname}${path.hash}`)
    await page.getByText('You’re logged in as Ann').waitFor()
    await phone.look('play-1-asks')
    await press(phone, 'Log out and start')
    await page.getByText('Is this only a rehearsal?').waitFor()
    await page.getByText('Test mode: nothing here is real').waitFor()
    assert.equal(await page.getByText('bakery at the corner').count(), 0, 'no live task')
    await phone.look('play-2-feed')
    await phone.close()
  })
})
