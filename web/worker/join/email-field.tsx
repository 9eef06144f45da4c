import { useText } from '../text/use-text.tsx'
import { Field } from '../../shared/ui/field.tsx'

/** Trims the space that phones add after autocompletion. */
export function EmailField({
  value,
  onChange,
  problem,
  isLogin = false,
}: {
  value: string
  onChange(email: string): void
  problem: string | undefined
  /** There is a password field below it, so that password managers fill in both. */
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
