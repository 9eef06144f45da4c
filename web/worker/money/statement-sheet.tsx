import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionError } from '../query-states.tsx'
import { saveFile } from '../phone/save-file.ts'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { allItems } from './queries.ts'
import { dayOf, statementOf } from './statement.ts'

/** A yearly statement as a file, generated on the phone. */
export function StatementSheet({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const text = useText()
  const thisYear = new Date().getFullYear()
  const [year, setYear] = useState(String(thisYear))
  const download = useMutation({
    mutationFn: async () => {
      const to = year === String(thisYear) ? dayOf(new Date()) : `${year}-12-31`
      const items = await allItems({ from: `${year}-01-01`, to })
      const csv = statementOf(items, {
        heads: [
          text('statement.date'),
          text('statement.kind'),
          text('statement.task'),
          text('statement.agent'),
          text('statement.id'),
          text('statement.gross'),
          text('statement.fee'),
          text('statement.net'),
          text('statement.currency'),
        ],
        kinds: {
          approved: text('earnings.kind_approved'),
          compensation: text('earnings.kind_compensation'),
          tip: text('earnings.kind_tip'),
          goodwill: text('earnings.kind_goodwill'),
        },
      })
      saveFile(new Blob([csv], { type: 'text/csv' }), `legwork-${year}.csv`)
    },
    onSuccess: onClose,
  })

  return (
    <Sheet
      title={text('statement.title')}
      closeLabel={text('shell.close')}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <Button isWide isPending={download.isPending} onPress={() => download.mutate()}>
          {text('statement.download')}
        </Button>
      }
    >
      <p className="text-muted">{text('statement.what')}</p>
      <BigChoice
        label={text('statement.year')}
        value={year}
        columns={2}
        options={[thisYear, thisYear - 1].map((one) => ({
          value: String(one),
          label: String(one),
        }))}
        onChange={setYear}
      />
      <ActionError error={download.error} />
    </Sheet>
  )
}
