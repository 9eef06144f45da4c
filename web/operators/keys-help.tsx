import { useState } from 'react'
import { Kbd } from '../shared/ui/kbd.tsx'
import { Sheet } from '../shared/ui/sheet.tsx'
import { useKeys } from './keys.ts'

const KEYS = [
  [
    'Everywhere',
    [
      ['/', 'search'],
      ['?', 'show these keys'],
      ['u', 'undo your last decision'],
    ],
  ],
  [
    'In a list',
    [
      ['j', 'next row'],
      ['k', 'previous row'],
      ['o', 'open the row; Enter also does'],
    ],
  ],
  [
    'In a case',
    [
      ['1', 'first choice; 2 to 4 are the others'],
      ['Enter', 'confirm the choice; pressing its digit again also does'],
      ['Esc', 'leave the field, then the choice'],
      ['j', 'next case'],
      ['k', 'previous case'],
      ['a', 'assign the case to you'],
      ['n', 'write a note'],
    ],
  ],
] as const

/** `?` shows all keyboard shortcuts. */
export function KeysHelp() {
  const [isOpen, setIsOpen] = useState(false)
  useKeys({ '?': () => setIsOpen(true) })
  return (
    <Sheet
      title="Keyboard shortcuts"
      closeLabel="Close"
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
    >
      {KEYS.map(([where, keys]) => (
        <section key={where} className="flex flex-col gap-2">
          <h3 className="font-semibold">{where}</h3>
          <dl className="grid grid-cols-[4rem_minmax(0,1fr)] gap-y-1">
            {keys.map(([key, does]) => (
              <div key={key} className="contents">
                <dt>
                  <Kbd>{key}</Kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="text-sm text-muted">Keys do nothing while you type in a field.</p>
    </Sheet>
  )
}
