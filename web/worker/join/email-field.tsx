import { useText } from '../text/use-text.tsx'
import { Field } from '../../shared/ui/field.tsx'

/** Trims the space that phones add after autocompletion. */
export function EmailField({
  label,
  value,
  onChange,
  problem,
  isLogin = false,
}: {
  /** Instead of “Email”. */
  label?: string
  value: string
  onChange(email: string): void
  problem: string | undefined
  /** There is a password field below it, so that password managers fill in both. */
  isLogin?: boolean
}) {
  const text = useText()
  return (
    <Field
      label={label ?? text('join.email')}
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
