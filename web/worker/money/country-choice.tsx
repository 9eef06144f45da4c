import type { Answer } from '../api.ts'
import { useText } from '../text/use-text.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { countriesIn } from './countries.ts'

/** Where the worker lives: one of the countries in which workers can be paid. */
export function CountryChoice({
  known,
  value,
  onChange,
}: {
  known: Answer<'/worker/app'>
  /** Undefined until one is chosen. */
  value: string | undefined
  onChange(country: string): void
}) {
  const text = useText()
  return (
    <Select
      label={text('payout.country')}
      hint={text('payout.countryHint')}
      value={value ?? ''}
      options={[
        ...(value === undefined ? [{ value: '', label: text('profile.choose') }] : []),
        ...countriesIn(text.language, known.payout_countries),
      ]}
      onChange={onChange}
    />
  )
}
