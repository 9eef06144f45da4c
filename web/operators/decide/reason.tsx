import { useRef } from 'react'
import { Field } from '../../shared/ui/field.tsx'
import type { Choice } from '../api.ts'
import { selectGap } from '../gaps.ts'
import { Templates } from '../templates.tsx'

export const REASON_MIN = 3
const REASON_MAX = 500

/**
 * The reason of a decision, typed or taken from a template. Both lead on to the next gap of the text, then to the button;
 * Enter does in the field.
 */
export function Reason({
  choice: { templates, tells_person },
  value,
  problem,
  onChange,
  onEnter,
}: {
  choice: Pick<Choice, 'templates' | 'tells_person'>
  value: string
  problem: string | undefined
  onChange(value: string): void
  onEnter(): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const goOn = (text: string) => {
    if (!selectGap(box.current, text)) onEnter()
  }
  return (
    <div ref={box} className="flex flex-col gap-2">
      <Templates
        templates={templates}
        value={value}
        onChoose={(text) => {
          onChange(text)
          goOn(text)
        }}
      />
      <Field
        label="Reason"
        rows={4}
        value={value}
        onChange={onChange}
        maxLength={REASON_MAX}
        problem={problem}
        hint={
          tells_person
            ? 'Sent to the person affected, and kept with the case.'
            : 'Kept with the case. Not sent to anyone.'
        }
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && value.trim().length >= REASON_MIN) {
            event.preventDefault()
            goOn(value)
          } else if (event.key === 'Escape') (event.target as HTMLElement).blur()
          else event.continuePropagation()
        }}
      />
    </div>
  )
}
