import { SwitchButton, SwitchField } from 'react-aria-components/Switch'
import type { ReactNode } from 'react'

/** A switch with its label on the left. */
export function Toggle({
  isOn,
  onChange,
  children,
  hint,
  isDisabled = false,
}: {
  isOn: boolean
  onChange(isOn: boolean): void
  children: ReactNode
  hint?: ReactNode
  isDisabled?: boolean
}) {
  return (
    <SwitchField
      isSelected={isOn}
      onChange={onChange}
      isDisabled={isDisabled}
      className="flex w-full data-[disabled]:opacity-60"
    >
      <SwitchButton className="group flex min-h-control w-full items-center justify-between gap-4 py-2">
        <span className="flex min-w-0 flex-col">
          <span>{children}</span>
          {hint !== undefined && <span className="text-sm text-muted">{hint}</span>}
        </span>
        <span
          className={
            'flex h-7 w-12 shrink-0 items-center rounded-full border border-control bg-raised p-0.5 ' +
            'group-data-[selected]:border-brand group-data-[selected]:bg-brand group-data-[focus-visible]:outline-3 outline-focus'
          }
        >
          <span
            className={
              'size-5 rounded-full bg-control transition-transform group-data-[selected]:translate-x-5 ' +
              'group-data-[selected]:bg-on-brand rtl:group-data-[selected]:-translate-x-5'
            }
          />
        </span>
      </SwitchButton>
    </SwitchField>
  )
}
