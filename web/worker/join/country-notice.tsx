import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Answer } from '../api.ts'
import { countriesIn, countryIn, unpaidCountry } from '../money/countries.ts'
import { useText } from '../text/use-text.tsx'
import { Banner } from '../../shared/ui/card.tsx'

/** The bad news for people who can't be paid where they are, with the countries where they can. */
export function CountryNotice({
  known,
  children,
}: {
  known: Answer<'/worker/app'> | undefined
  /** Says what these people can do instead. */
  children: ReactNode
}) {
  const text = useText()
  const country = known && unpaidCountry(known)
  if (country === undefined) return null
  const names = countriesIn(text.language, known!.payout_countries).map(({ label }) => label)
  return (
    <Banner
      tone="warn"
      icon={<Globe size={24} aria-hidden />}
      title={text('country.unpaid', { country: countryIn(text.language, country) })}
    >
      <p>{children}</p>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold underline">
          {text('country.where')}
        </summary>
        <p>{new Intl.ListFormat(text.language, { type: 'unit' }).format(names)}</p>
      </details>
    </Banner>
  )
}
