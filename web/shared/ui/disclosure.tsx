import { ChevronDown } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import type { ReactNode } from 'react'

const ROW = 'flex w-full justify-between gap-3 py-2 text-start font-medium text-text'

/** Collapsible details. With `isRow`, its title is a row of a list, as wide as the list. */
export function Disclosure({
  title,
  isRow = false,
  children,
}: {
  title: ReactNode
  isRow?: boolean
  children: ReactNode
}) {
  return (
    <AriaDisclosure className="group flex flex-col">
      <Heading level={3}>
        <Button
          slot="trigger"
          className={`min-h-target items-center ${isRow ? ROW : 'inline-flex gap-1 text-sm font-medium text-brand'}`}
        >
          {title}
          <ChevronDown
            size={18}
            aria-hidden
            className="shrink-0 transition-transform group-data-[expanded]:rotate-180"
          />
        </Button>
      </Heading>
      <DisclosurePanel>{children}</DisclosurePanel>
    </AriaDisclosure>
  )
}
