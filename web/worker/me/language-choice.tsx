/** The language of the app. Our emails follow it; see `send-language.ts`. */
import { Languages } from 'lucide-react'
import { useState } from 'react'
import { keepLanguage, type Language, LANGUAGES } from '../text/languages.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'

export function LanguageChoice() {
  const text = useText()
  const [isChoosing, setIsChoosing] = useState(false)
  const languages = Object.entries(LANGUAGES).filter(([tag]) => tag !== 'en-XA')
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span className="flex items-center gap-3">
        <Languages size={20} aria-hidden className="text-brand" />
        {text('me.language')}
      </span>
      <Button look="secondary" onPress={() => setIsChoosing(true)}>
        {LANGUAGES[text.language].name}
      </Button>
      <Sheet
        title={text('me.language')}
        closeLabel={text('shell.close')}
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
      >
        <BigChoice
          label={text('me.languageHint')}
          value={text.language}
          options={languages.map(([value, { name }]) => ({
            value: value as Language,
            label: <span lang={value}>{name}</span>,
          }))}
          onChange={(language) => {
            keepLanguage(language)
            location.reload()
          }}
        />
      </Sheet>
    </div>
  )
}
