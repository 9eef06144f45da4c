import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'

export const INPUT =
  'w-full min-h-control rounded-field border border-control bg-surface px-3 py-2 text-base text-text placeholder:text-muted ' +
  'data-[invalid]:border-danger'

export interface FieldProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  label: string
  hint?: string | undefined
  /** Validation error, shown at the field. */
  problem?: string | undefined
  placeholder?: string | undefined
  /** Makes it a multi-line field. */
  rows?: number
}

export function Field({ label, hint, problem, placeholder, rows, ...props }: FieldProps) {
  const shown = placeholder === undefined ? {} : { placeholder }
  return (
    <TextField {...props} isInvalid={problem !== undefined} className="flex flex-col gap-1">
      <Label className="text-sm font-semibold">
        <bdi>{label}</bdi>
      </Label>
      {rows === undefined ? (
        <Input className={INPUT} {...shown} dir="auto" />
      ) : (
        <TextArea className={INPUT} {...shown} rows={rows} dir="auto" />
      )}
      {hint !== undefined && (
        <Text slot="description" className="text-sm text-muted">
          {hint}
        </Text>
      )}
      <FieldError className="text-sm font-semibold text-danger">{problem}</FieldError>
    </TextField>
  )
}
