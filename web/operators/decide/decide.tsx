/** The choices about a case. A digit chooses, and confirms once everything is filled in. */
import { useState } from 'react'
import { Panel } from '../../shared/desk/screen.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import type { Case, Choice, Made } from '../api.ts'
import { type Keys, useKeys } from '../keys.ts'
import { useDesk } from '../session.tsx'
import { ChoiceForm } from './choice-form.tsx'
import { WaitingDecision } from './waiting-decision.tsx'

export function Decide({
  shown,
  onMade,
  onNext,
}: {
  shown: Case
  onMade(choice: Choice, made: Made): void
  onNext: (() => void) | undefined
}) {
  const { can } = useDesk()
  const { choices } = shown
  const [chosen, setChosen] = useState<Choice>()
  /** Counts presses of the digit of what is chosen already. */
  const [confirms, setConfirms] = useState(0)
  const choose = (choice: Choice) => {
    if (nameOf(chosen) === nameOf(choice)) return setConfirms(confirms + 1)
    setChosen(choice)
    setConfirms(0)
  }
  const waiting = shown.decisions.find(({ state }) => state === 'waiting')
  const byKey: Keys = Object.fromEntries(
    choices.flatMap((choice) =>
      choice.key !== null && can(choice.right) ? [[choice.key, () => choose(choice)]] : [],
    ),
  )
  useKeys(
    waiting === undefined
      ? {
          ...byKey,
          ...(chosen && {
            Enter: () => setConfirms(confirms + 1),
            Escape: () => setChosen(undefined),
          }),
        }
      : {},
  )
  if (waiting !== undefined) return <WaitingDecision id={waiting.id} onNext={onNext} />
  if (choices.length === 0)
    return (
      <Panel title="Decide">
        <p className="text-muted">There is nothing to decide here at the moment.</p>
      </Panel>
    )
  return (
    <Panel title="Decide">
      <ul className="flex flex-col gap-2">
        {choices.map((choice) => (
          <li key={nameOf(choice)}>
            <ChoiceButton
              choice={choice}
              isChosen={nameOf(choice) === nameOf(chosen)}
              isAllowed={can(choice.right)}
              onPress={() => choose(choice)}
            />
          </li>
        ))}
      </ul>
      {choices.every(({ right }) => !can(right)) && (
        <p className="text-sm text-muted">Your role doesn’t include these decisions.</p>
      )}
      {chosen !== undefined && (
        <ChoiceForm
          key={nameOf(chosen)}
          caseId={shown.id}
          choice={chosen}
          confirms={confirms}
          onMade={(made) => {
            setChosen(undefined)
            onMade(chosen, made)
          }}
          onNext={onNext}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  )
}

const nameOf = (choice: Choice | undefined) =>
  choice && `${choice.kind} ${choice.subject} ${choice.label}`

function ChoiceButton({
  choice: { key, label, is_danger },
  isChosen,
  isAllowed,
  onPress,
}: {
  choice: Choice
  isChosen: boolean
  isAllowed: boolean
  onPress(): void
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={!isAllowed}
      onClick={onPress}
      {...(key === null ? {} : { 'aria-keyshortcuts': key })}
      className={
        'flex min-h-control w-full items-center justify-between gap-2 rounded-field border border-control bg-surface px-3 py-1.5 text-start font-semibold ' +
        'aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft disabled:opacity-60 ' +
        (is_danger ? 'text-danger' : '')
      }
    >
      <span>{label}</span>
      {key !== null && <Kbd>{key}</Kbd>}
    </button>
  )
}
