import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Chip } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { isOffered, OFFERED } from '../skills.ts'

const WORDS_MAX = 50

export function Skills({
  label,
  value,
  onChange,
}: {
  label: string
  value: readonly string[]
  onChange(skills: string[]): void
}) {
  const text = useText()
  const [written, setWritten] = useState('')
  const own = value.filter((skill) => !isOffered(skill))
  const set = (skill: string, isOn: boolean) =>
    onChange(isOn ? [...new Set([...value, skill])] : value.filter((one) => one !== skill))
  const add = () => {
    const skill = written.trim().toLowerCase()
    if (skill !== '') set(skill, true)
    setWritten('')
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-title font-bold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {OFFERED.map((skill) => (
          <Chip key={skill} isOn={value.includes(skill)} onChange={(isOn) => set(skill, isOn)}>
            {text(`skill.${skill}`)}
          </Chip>
        ))}
        {own.map((skill) => (
          <Chip
            key={skill}
            isOn
            onChange={() => set(skill, false)}
            label={text('setup.removeSkill', { skill })}
          >
            <span dir="auto">{skill}</span>
            <X size={16} aria-hidden />
          </Chip>
        ))}
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-40">
          <Field
            label={text('setup.ownSkill')}
            placeholder={text('setup.ownSkillExample')}
            maxLength={WORDS_MAX}
            value={written}
            onChange={setWritten}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
        </div>
        <Button look="secondary" onPress={add} isDisabled={written.trim() === ''}>
          <Plus size={20} aria-hidden />
          {text('setup.add')}
        </Button>
      </div>
    </fieldset>
  )
}
