import { useText } from '../text/use-text.tsx'
import { Field } from '../../shared/ui/field.tsx'

/** Phones put a space behind what they complete: it is no part of an address. */
export function EmailField({
  value,
  onChange,
  problem,
  isLogin = false,
}: {
  value: string
  onChange(email: string): void
  problem: string | undefined
  /** With a password below it, so that whoever keeps passwords fills in both. */
  isLogin?: boolean
}) {
  const text = useText()
  return (
    <Field
      label={text('join.email')}
      name="email"
      type="email"
      inputMode="email"
      autoComplete={isLogin ? 'username' : 'email'}
      value={value}
      onChange={(typed) => onChange(typed.trim())}
      problem={problem}
    />
  )
}
