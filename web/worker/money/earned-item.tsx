import { ChevronDown } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import { useText } from '../text/use-text.tsx'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/card.tsx'
import type { EarnedItem } from './queries.ts'
import { Sum } from './sum.tsx'

/** One payment: the net amount, and on tap how it was calculated. */
export function EarnedRow({ item }: { item: EarnedItem }) {
  const text = useText()
  return (
    <li className="border-b border-border last:border-b-0">
      <Disclosure className="group">
        <Heading level={3}>
          <Button
            slot="trigger"
            className="flex min-h-16 w-full flex-wrap items-center justify-between gap-x-3 py-3 text-start"
          >
            <span className="flex min-w-0 flex-1 basis-36 flex-col">
              <span className="line-clamp-2 font-medium" dir="auto">
                {item.title}
              </span>
              <span className="text-sm font-normal text-muted">
                {text('earnings.itemFrom', {
                  when: text.date(item.at, { dateStyle: 'medium', timeStyle: 'short' }),
                  agent: item.agent_name,
                })}
              </span>
              {item.kind !== 'approved' && (
                <span className="mt-1">
                  <Tag tone="info">{text(`earnings.kind_${item.kind}`)}</Tag>
                </span>
              )}
            </span>
            <span className="flex shrink-0 items-center gap-1 font-bold">
              {text.money(item.net_cents)}
              <ChevronDown
                size={20}
                aria-hidden
                className="text-muted transition-transform group-data-[expanded]:rotate-180"
              />
            </span>
          </Button>
        </Heading>
        <DisclosurePanel>
          <div className="flex flex-col gap-2 rounded-field bg-raised p-3 text-sm">
            <Sum items={[item]} />
          </div>
          <ButtonLink look="quiet" href={`/earnings/${item.task_id}`}>
            {text('earnings.receipt')}
          </ButtonLink>
        </DisclosurePanel>
      </Disclosure>
    </li>
  )
}
