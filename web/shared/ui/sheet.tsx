import { X } from 'lucide-react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

/** A bottom sheet; Escape, the close button or a tap outside closes it. */
export function Sheet({
  title,
  closeLabel,
  isOpen,
  onClose,
  footer,
  children,
}: {
  title: string
  closeLabel: string
  isOpen: boolean
  onClose(): void
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable
      className={
        'fixed inset-0 z-30 flex items-end justify-center bg-[rgb(0_0_0/0.5)] wide:items-center ' +
        'data-[entering]:animate-appear data-[exiting]:animate-vanish'
      }
    >
      <Modal
        className={
          'flex max-h-[90dvh] w-full max-w-160 flex-col rounded-t-card bg-surface wide:rounded-card ' +
          'data-[entering]:animate-rise data-[exiting]:animate-sink'
        }
      >
        <Dialog className="flex min-h-0 flex-col outline-none">
          <div className="flex items-center justify-between gap-2 ps-4 pe-2 pt-2">
            <Heading slot="title" className="text-lg font-bold">
              {title}
            </Heading>
            <IconButton label={closeLabel} onPress={onClose}>
              <X aria-hidden />
            </IconButton>
          </div>
          <div className="relative flex min-h-0 scroll-py-4 flex-col gap-4 overflow-y-auto px-4 pb-4">
            {children}
          </div>
          {footer !== undefined && (
            <div className="flex flex-col gap-2 border-t border-border p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
              {footer}
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
