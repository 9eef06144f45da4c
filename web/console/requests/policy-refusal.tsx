/** A task that the policy refused: which section, by which rule, and how to contest it. */
import { Facts, Panel } from '../../shared/desk/screen.tsx'
import { AskLink } from '../support/can-ask.tsx'

interface Refused {
  rule: string
  section: string
  policy_version: string
}

/** The fields of a `task_refused`, or undefined for any other response. */
export function readRefusal(answer: unknown): Refused | undefined {
  const { code, rule, section, policy_version } = (answer ?? {}) as Record<string, unknown>
  return code === 'task_refused' &&
    [rule, section, policy_version].every((one) => typeof one === 'string')
    ? ({ rule, section, policy_version } as Refused)
    : undefined
}

export function PolicyRefusal({ refused, requestId }: { refused: Refused; requestId: string }) {
  const { rule, section, policy_version } = refused
  return (
    <Panel title="Refused by the policy">
      <p>
        This task asks for something that people on this platform may not be asked to do. Nothing
        was created, and no money moved.
      </p>
      <Facts
        facts={[
          [
            'Section',
            <a
              key="section"
              href={`/docs/what-may-be-asked#${section}`}
              className="inline-flex min-h-7 items-center text-brand underline"
            >
              {titleOf(section)}
            </a>,
          ],
          ['Rule', <code key="rule">{rule}</code>],
          ['Policy', `Version ${policy_version}`],
        ]}
      />
      <p className="text-muted">
        Rules read words, and words can mislead. If your task is allowed, an operator reads it and
        answers in writing.
      </p>
      <AskLink about={{ request: requestId, subject: 'task', rule }}>Contest this refusal</AskLink>
    </Panel>
  )
}

/** `watching-people` is the anchor of the heading "Watching people". */
const titleOf = (section: string) =>
  section.charAt(0).toUpperCase() + section.slice(1).replaceAll('-', ' ')
