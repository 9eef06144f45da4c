/** A password field with a show button. Pasting must stay possible, since password managers rely on it. */
import { Eye, EyeOff } from 'lucide-react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField } from 'react-aria-components/TextField'
import { useState } from 'react'
import { useText } from '../text/use-text.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { INPUT } from '../../shared/ui/field.tsx'
import { LENGTH_MIN, type Strength, strengthOf } from './strength.ts'

export function PasswordField({
  label,
  value,
  onChange,
  problem,
  isNew = false,
  known = [],
}: {
  label: string
  value: string
  onChange(value: string): void
  problem?: string | undefined
  /** A new password: shows its strength. */
  isNew?: boolean
  known?: readonly string[]
}) {
  const text = useText()
  const [isShown, setIsShown] = useState(false)
  return (
    <TextField
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      spellCheck="false"
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      className="flex flex-col gap-1"
    >
      <Label className="text-sm font-semibold">{label}</Label>
      <div className="relative">
        <Input className={`${INPUT} pe-14`} dir="auto" autoCapitalize="off" />
        <span className="absolute inset-y-0 end-0">
          <IconButton
            label={text(isShown ? 'password.hide' : 'password.show')}
            onPress={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
          </IconButton>
        </span>
      </div>
      <FieldError className="text-sm font-semibold text-danger">{problem}</FieldError>
      {isNew && <StrengthMeter strength={strengthOf(value, known)} isEmpty={value === ''} />}
    </TextField>
  )
}

const LOOKS: Record<Strength, { filled: number; color: string }> = {
  short: { filled: 0, color: 'bg-raised' },
  weak: { filled: 1, color: 'bg-danger' },
  fair: { filled: 2, color: 'bg-warn' },
  good: { filled: 3, color: 'bg-brand' },
}

function StrengthMeter({ strength, isEmpty }: { strength: Strength; isEmpty: boolean }) {
  const text = useText()
  const { filled, color } = LOOKS[strength]
  return (
    <div className="flex flex-col gap-1.5 pt-1">
      <div aria-hidden className="flex gap-1.5">
        {[1, 2, 3].map((part) => (
          <span
            key={part}
            className={`h-1.5 flex-1 rounded-full ${part <= filled ? color : 'bg-raised'}`}
          />
        ))}
      </div>
      <p role="status" className="text-sm text-muted">
        {text(isEmpty ? 'password.hint' : `password.${strength}`, { least: LENGTH_MIN })}
      </p>
    </div>
  )
}
