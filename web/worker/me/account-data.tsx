import { useMutation } from '@tanstack/react-query'
import {
  Banknote,
  CircleCheck,
  Download,
  Gavel,
  ListChecks,
  Smartphone,
  UserRound,
} from 'lucide-react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { api } from '../api.ts'
import { saveFile } from '../phone/save-file.ts'
import { ActionError } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'

const FILE = 'legwork-data.json'

const PARTS = [
  { icon: UserRound, label: 'account.dataProfile' },
  { icon: ListChecks, label: 'account.dataWork' },
  { icon: Banknote, label: 'account.dataMoney' },
  { icon: Gavel, label: 'account.dataRecord' },
  { icon: Smartphone, label: 'account.dataDevices' },
] as const

/** Saves all that we store about the worker. */
export function AccountData() {
  const text = useText()
  const download = useMutation({
    mutationFn: async () => {
      const data = await api.get('/worker/export')
      saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), FILE)
    },
  })
  return (
    <Page title={text('account.data')} back="/me/account" backLabel={text('account.title')}>
      <p className="text-muted">{text('account.dataBody')}</p>
      <Card>
        <h2 className="font-semibold">{text('account.dataWhat')}</h2>
        <ul className="flex flex-col gap-3">
          {PARTS.map(({ icon: Icon, label }) => (
            <li key={label} className="flex items-start gap-3">
              <Icon size={20} aria-hidden className="mt-0.5 shrink-0 text-brand" />
              <span className="min-w-0 flex-1">{text(label)}</span>
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">{text('account.dataNote')}</p>
      </Card>
      {download.isSuccess && (
        <Banner tone="good" icon={<CircleCheck size={20} aria-hidden />}>
          {text('account.dataDone', { file: FILE })}
        </Banner>
      )}
      <ActionError error={download.error} />
      <Button isWide isPending={download.isPending} onPress={() => download.mutate()}>
        <Download size={20} aria-hidden />
        {text('account.dataDo')}
      </Button>
    </Page>
  )
}
