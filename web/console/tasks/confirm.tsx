import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'

/** A confirmation dialog: what will happen, how it moves money, and the button. */
export function Confirm({
  title,
  effect,
  does,
  isDanger = false,
  action,
  problems,
  children,
  onConfirm,
  onClose,
}: {
  title: string
  /** How it moves money. */
  effect?: string
  /** The button's label. */
  does: string
  isDanger?: boolean
  action: { isPending: boolean; error: unknown }
  problems?: object
  children?: ReactNode
  onConfirm(): void
  onClose(): void
}) {
  return (
    <Sheet title={title} closeLabel="Close" isOpen onClose={onClose}>
      <Form onSubmit={onConfirm} {...(problems === undefined ? {} : { problems })}>
        {children}
        {effect !== undefined && <EffectLine>{effect}</EffectLine>}
        <ActionError error={action.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look={isDanger ? 'danger' : 'primary'}
            isPending={action.isPending}
            autoFocus={children === undefined}
          >
            {does}
          </Button>
          <Button look="secondary" onPress={onClose}>
            Go back
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}

export function EffectLine({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2 rounded-field bg-raised p-3">
      <ArrowRight size={16} aria-hidden className="mt-0.5 text-muted" />
      <span>{children}</span>
    </p>
  )
}
