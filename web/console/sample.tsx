import { useState } from 'react'
import { Segmented } from '../shared/ui/choice.tsx'
import { Code } from '../shared/ui/code.tsx'
import { type Call, curlOf, typescriptOf } from './samples.ts'
import { Panel } from '../shared/desk/screen.tsx'
import { API_BASE, KeyHint } from './empty-with-call.tsx'

type Language = 'curl' | 'typescript'

/** The code for an API call, as curl or TypeScript. */
export function Sample({ call, base = API_BASE }: { call: Call; base?: string }) {
  const [language, setLanguage] = useState<Language>('curl')
  const typescript = typescriptOf(call)
  return (
    <Panel
      title="API call"
      actions={
        typescript !== undefined && (
          <Segmented<Language>
            label="Language"
            value={language}
            options={[
              { value: 'curl', label: 'curl' },
              { value: 'typescript', label: 'TypeScript' },
            ]}
            onChange={setLanguage}
          />
        )
      }
    >
      <KeyHint />
      <Code label="call">
        {typescript !== undefined && language === 'typescript' ? typescript : curlOf(call, base)}
      </Code>
    </Panel>
  )
}
