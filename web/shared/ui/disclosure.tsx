import { ChevronDown } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import type { ReactNode } from 'react'

/** Collapsible details. */
export function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <AriaDisclosure className="group flex flex-col">
      <Heading level={3}>
        <Button
          slot="trigger"
          className="inline-flex min-h-target items-center gap-1 text-sm font-medium text-brand"
        >
          {title}
          <ChevronDown
            size={18}
            aria-hidden
            className="transition-transform group-data-[expanded]:rotate-180"
          />
        </Button>
      </Heading>
      <DisclosurePanel>{children}</DisclosurePanel>
    </AriaDisclosure>
  )
}
