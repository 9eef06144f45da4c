import { Button } from '../shared/ui/button.tsx'

interface Template {
  id: string
  title: string
  text: string
  language: string
}

/** Buttons that insert a text. It replaces another template's, and is added to what the operator has typed. */
export function Templates({
  templates,
  value,
  onChoose,
}: {
  templates: readonly Template[]
  value: string
  onChoose(text: string): void
}) {
  if (templates.length === 0) return null
  const isUntouched = value.trim() === '' || templates.some(({ text }) => text === value)
  return (
    <div role="group" aria-label="Templates" className="flex flex-wrap gap-1.5">
      {templates.map(({ id, title, text, language }) => (
        <Button
          key={id}
          look="secondary"
          data-template
          onPress={() => onChoose(isUntouched ? text : `${value.trimEnd()}\n${text}`)}
        >
          {language === 'en' ? title : `${title} (${language})`}
        </Button>
      ))}
    </div>
  )
}
