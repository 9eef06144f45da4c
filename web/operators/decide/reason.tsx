import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import type { Choice } from '../api.ts'

export const REASON_MIN = 3
const REASON_MAX = 500

/** The reason of a decision, typed or started from a template. Enter moves on to the button. */
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
  const isUntouched = value.trim() === '' || templates.some(({ text }) => text === value)
  return (
    <div className="flex flex-col gap-2">
      {templates.length > 0 && (
        <div role="group" aria-label="Templates" className="flex flex-wrap gap-1.5">
          {templates.map(({ id, title, text, language }) => (
            <Button
              key={id}
              look="secondary"
              data-template
              onPress={() => onChange(isUntouched ? text : `${value.trimEnd()}\n${text}`)}
            >
              {language === 'en' ? title : `${title} (${language})`}
            </Button>
          ))}
        </div>
      )}
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
            onEnter()
          } else if (event.key === 'Escape') (event.target as HTMLElement).blur()
          else event.continuePropagation()
        }}
      />
    </div>
  )
}
