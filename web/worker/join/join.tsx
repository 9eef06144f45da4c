import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { knownLanguage } from '../send-language.ts'
import { useSession } from '../session.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { AdultCheck } from '../adult-check.tsx'
import { looksLikeEmail } from './addresses.ts'
import { countriesQuery } from '../money/countries.ts'
import { CountryNotice } from './country-notice.tsx'
import { EmailField } from './email-field.tsx'
import { LegalLinks } from './legal-links.tsx'
import { PasswordField } from './password-field.tsx'
import { LENGTH_MIN } from './strength.ts'

interface Person {
  name: string
  email: string
  password: string
  isAdult: boolean
}

export function Join() {
  const text = useText()
  const { worker, waiting } = useSession()
  // A worker who comes back from the verification screen mistyped the email: keep the other fields.
  const [person, setPerson] = useState<Person>({
    name: waiting?.name ?? '',
    email: waiting?.email ?? '',
    password: '',
    isAdult: false,
  })
  const [missing, setMissing] = useState<Problems>({})
  const countries = useQuery(countriesQuery())

  const join = useJoin(person)
  const change = (part: Partial<Person>) => {
    setPerson((before) => ({ ...before, ...part }))
    // Clear the error while the person fixes the field.
    setMissing((before) => without(before, part))
    if (join.error) join.reset()
  }

  if (join.isSuccess && (waiting || worker)) return <Redirect to="/check-mail" />
  const problems = join.error ? problemsOf(join.error, text) : missing
  return (
    <Page title={text('join.title')} back="/hello" backLabel={text('shell.back')}>
      <p className="text-muted">{text('join.promise')}</p>
      <CountryNotice known={countries.data}>{text('country.join')}</CountryNotice>
      <Form
        problems={problems}
        onSubmit={() => {
          const found = missingIn(person, text)
          setMissing(found)
          join.reset()
          if (Object.keys(found).length === 0) join.mutate()
        }}
      >
        <Field
          label={text('join.name')}
          hint={text('join.nameHint')}
          name="name"
          autoComplete="name"
          value={person.name}
          onChange={(name) => change({ name })}
          problem={problems.name}
        />
        <EmailField
          value={person.email}
          onChange={(email) => change({ email })}
          problem={problems.email}
        />
        <PasswordField
          label={text('join.password')}
          isNew
          known={[person.name, person.email]}
          value={person.password}
          onChange={(password) => change({ password })}
          problem={problems.password}
        />
        <AdultCheck
          isChecked={person.isAdult}
          onChange={(isAdult) => change({ isAdult })}
          problem={problems.isAdult}
        />
        {problems.other !== undefined && (
          <Banner tone="bad" isAlert>
            {problems.other}
          </Banner>
        )}
        <Button type="submit" isWide isPending={join.isPending}>
          {text(join.isPending ? 'join.pending' : 'join.submit')}
        </Button>
      </Form>
      <p className="flex flex-wrap items-center justify-center gap-x-2">
        {text('join.hasAccount')}
        <Link href="/login" className={TEXT_LINK}>
          {text('join.logIn')}
        </Link>
      </p>
      <LegalLinks />
    </Page>
  )
}

/** Registers, and logs in. */
function useJoin(person: Person) {
  const text = useText()
  const { logIn } = useSession()
  return useMutation({
    async mutationFn() {
      const { isAdult: _, ...body } = person
      try {
        const app_language = knownLanguage(text.language)
        await api.post('/worker/register', { body: { ...body, adult: true, app_language } })
      } catch (error) {
        // Perhaps this person registered before and the response got lost: then the password is right.
        if (!isTaken(error)) throw error
        const isTheirs = await logIn(body).catch((refusal: unknown) => {
          if (refusal instanceof Refusal && refusal.code === 'invalid_password') return undefined
          throw refusal
        })
        if (isTheirs === undefined) throw error
        return
      }
      await logIn(body)
    },
  })
}

export const TEXT_LINK = 'inline-flex min-h-11 items-center font-semibold text-brand'

type Problems = Partial<Record<keyof Person | 'other', string>>

const without = (problems: Problems, changed: object): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !(field in changed)))

function missingIn({ name, email, password, isAdult }: Person, text: Text): Problems {
  return {
    ...(name.trim() === '' ? { name: text('join.nameMissing') } : {}),
    ...(looksLikeEmail(email) ? {} : { email: text('join.emailWrong') }),
    ...(Array.from(password).length < LENGTH_MIN
      ? { password: text('password.short', { least: LENGTH_MIN }) }
      : {}),
    ...(isAdult ? {} : { isAdult: text('adult.missing') }),
  }
}

const isTaken = (error: unknown) => error instanceof Refusal && error.code === 'worker_exists'

function problemsOf(error: unknown, text: Text): Problems {
  if (isTaken(error)) return { email: problemOf(error, text) }
  if (!(error instanceof Refusal) || error.code !== 'invalid_request')
    return { other: problemOf(error, text) }
  const { name, email, password } = error.fields
  if (password !== undefined) return { password: text('password.guessable') }
  if (email !== undefined) return { email: text('join.emailWrong') }
  if (name !== undefined) return { name: text('join.nameWrong') }
  return { other: problemOf(error, text) }
}
