import { RadioButton, RadioField, RadioGroup } from 'react-aria-components/RadioGroup'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { Label } from 'react-aria-components/Label'
import type { ReactNode } from 'react'

/** A choice of one option, side by side. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: { value: Value; label: ReactNode }[]
  onChange(value: Value): void
}) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      orientation="horizontal"
      onChange={(chosen) => onChange(chosen as Value)}
      className="inline-flex flex-wrap rounded-card bg-raised p-1"
    >
      {options.map((option) => (
        <RadioField key={option.value} value={option.value} className="flex flex-1">
          <RadioButton
            className={
              'flex min-h-target flex-1 items-center justify-center gap-2 rounded-field px-3 text-sm font-medium wrap-normal text-text ' +
              'transition-[background-color,box-shadow] duration-(--duration-quick) ease-out ' +
              'data-[selected]:bg-surface data-[selected]:shadow-card data-[focus-visible]:outline-3 outline-focus'
            }
          >
            {option.label}
          </RadioButton>
        </RadioField>
      ))}
    </RadioGroup>
  )
}

/** An on/off pill. */
export function Chip({
  isOn,
  onChange,
  children,
  label,
}: {
  isOn: boolean
  onChange(isOn: boolean): void
  children: ReactNode
  label?: string
}) {
  return (
    <ToggleButton
      isSelected={isOn}
      onChange={onChange}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={
        'inline-flex min-h-target min-w-target shrink-0 max-w-full items-center justify-center gap-2 rounded-full border border-control px-4 text-sm ' +
        'transition-colors duration-(--duration-quick) ease-out ' +
        'data-[selected]:border-brand data-[selected]:bg-brand-soft data-[selected]:text-on-brand-soft'
      }
    >
      {children}
    </ToggleButton>
  )
}

/** Multiple choice, as pills. */
export function Chips<Value extends string>({
  options,
  chosen,
  onChange,
}: {
  options: { value: Value; label: ReactNode }[]
  chosen: readonly Value[]
  onChange(chosen: Value[]): void
}) {
  return (
    <div className="flex flex-wrap gap-2">
      {options.map(({ value, label }) => (
        <Chip
          key={value}
          isOn={chosen.includes(value)}
          onChange={(isOn) =>
            onChange(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        >
          {label}
        </Chip>
      ))}
    </div>
  )
}

/** A choice of one option, each large enough to tap while walking, with a line that explains it. */
export function BigChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
  columns = 1,
}: {
  label: string
  value: Value | null
  options: { value: Value; label: ReactNode; hint?: ReactNode }[]
  onChange(value: Value): void
  columns?: number
}) {
  return (
    <RadioGroup
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      className="flex flex-col gap-2"
    >
      <Label className="text-sm font-semibold">
        <bdi>{label}</bdi>
      </Label>
      <div
        className="grid gap-2"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {options.map((option) => (
          <RadioField key={option.value} value={option.value} className="flex">
            <RadioButton
              className={
                'flex min-h-control w-full flex-col items-center justify-center rounded-field border border-control bg-surface px-3 py-2 ' +
                'text-center text-base font-semibold transition-colors duration-(--duration-quick) ease-out ' +
                'data-[selected]:border-brand data-[selected]:bg-brand-soft ' +
                'data-[selected]:text-on-brand-soft data-[focus-visible]:outline-3 outline-focus'
              }
            >
              {option.label}
              {option.hint !== undefined && (
                <span className="text-sm font-normal">{option.hint}</span>
              )}
            </RadioButton>
          </RadioField>
        ))}
      </div>
    </RadioGroup>
  )
}
