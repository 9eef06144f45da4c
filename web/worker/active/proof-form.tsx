/** The typed answer, text, and what the agent gets to see; and sending the proof. */
import { Info } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Draft } from '../phone/draft.ts'
import type { DraftInHand } from '../phone/use-draft.ts'
import { useText } from '../text/use-text.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { AnswerFields } from './answer-field.tsx'
import { readBrief } from '../brief/read-brief.ts'
import { optionsFor, problemsOf, questionsOf } from './answer-kind.ts'
import { titleOf } from './brief-rules.ts'
import { type Missing, missingIn } from './proof-rules.ts'
import type { Work } from './queries.ts'

const TEXT_MAX = 10_000

/** Sends once, if nothing is missing; shows what is missing from the first attempt on. */
export function useSendProof(
  { task }: Pick<Work, 'task'>,
  draft: Draft,
  onSend: () => Promise<void>,
): { isSending: boolean; isTold: boolean; missing: Missing; send(): void } {
  const [isTold, setIsTold] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const missing = missingIn(task, draft)
  return {
    isSending,
    isTold,
    missing,
    send() {
      setIsTold(true)
      if (missing !== null || isSending) return
      setIsSending(true)
      void onSend().finally(() => setIsSending(false))
    },
  }
}

export function ProofForm({
  work: { task },
  hand: { draft, change },
  isTold,
}: {
  work: Pick<Work, 'task'>
  hand: Pick<DraftInHand, 'draft' | 'change'>
  isTold: boolean
}) {
  const text = useText()
  const isFound = draft.outcome === 'not_possible'
  const questions = isFound ? [] : questionsOf(task.answer_schema)
  const { subject } = useMemo(() => readBrief({ ...task, title: titleOf(task) }), [task])
  const needsWords = missingIn(task, draft) === 'words'
  const label = isFound
    ? 'active.words.found'
    : task.type === 'voice_proxy'
      ? 'active.words.call'
      : task.proof_required === 'text' && questions.length === 0
        ? 'active.words.answer'
        : 'active.words.more'
  return (
    <>
      <AnswerFields
        questions={questions}
        options={optionsFor(questions, subject)}
        answer={draft.answer}
        problems={isTold ? problemsOf(questions, draft.answer) : []}
        onChange={(answer) => change({ answer })}
      />
      <Field
        label={text(label)}
        rows={label === 'active.words.more' ? 2 : 5}
        maxLength={TEXT_MAX}
        value={draft.text}
        problem={isTold && needsWords ? text('active.words.missing') : undefined}
        onChange={(words) => change({ text: words })}
      />
    </>
  )
}

export function AgentSees({ hasLocation }: { hasLocation: boolean }) {
  const text = useText()
  return (
    <Banner icon={<Info size={20} aria-hidden />} tone="info">
      {text(hasLocation ? 'active.agentSeesPlace' : 'active.agentSees')}
    </Banner>
  )
}
