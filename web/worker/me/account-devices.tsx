import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { type Answer, api } from '../api.ts'
import { ActionError, QueryResult } from '../query-states.tsx'
import { type Text, useText } from '../text/use-text.tsx'

type Device = Answer<'/worker/sessions'>['sessions'][number]

const devicesQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get('/worker/sessions', { signal }),
})

export function AccountDevices() {
  const text = useText()
  const query = useQuery(devicesQuery)
  return (
    <Page title={text('account.devices')} back="/me/account" backLabel={text('account.title')}>
      <p className="text-muted">{text('account.devicesBody')}</p>
      <QueryResult query={query}>{({ sessions }) => <Devices devices={sessions} />}</QueryResult>
    </Page>
  )
}

function Devices({ devices }: { devices: readonly Device[] }) {
  const text = useText()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Device | 'others'>()
  const end = useMutation({
    mutationFn: async (what: Device | 'others') => {
      if (what === 'others') await api.delete('/worker/sessions', { query: { keep: 'current' } })
      else await api.delete('/worker/sessions/{id}', { params: { id: what.id } })
    },
    onSuccess: () => setAsked(undefined),
    // Also after an error: the device may have been logged out elsewhere.
    onSettled: () => client.invalidateQueries({ queryKey: devicesQuery.queryKey }),
  })
  const ask = (what: Device | 'others') => {
    end.reset()
    setAsked(what)
  }
  const title = asked && (asked === 'others' ? text('account.endOthers') : text('account.endOne'))
  return (
    <>
      {/* A login of an earlier release is not listed. */}
      {devices.length === 0 && <p>{text('account.noDevices')}</p>}
      <ul className="flex flex-col gap-3">
        {devices.map((device) => (
          <li key={device.id}>
            <Card>
              <DeviceRow device={device} onEnd={() => ask(device)} />
            </Card>
          </li>
        ))}
      </ul>
      {devices.some(({ is_current }) => !is_current) && (
        <Button look="secondary" isWide onPress={() => ask('others')}>
          <LogOut size={20} aria-hidden className="rtl:-scale-x-100" />
          {text('account.endOthers')}
        </Button>
      )}
      <Sheet
        title={title ?? ''}
        closeLabel={text('shell.close')}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        footer={
          <>
            <Button
              look="danger"
              isPending={end.isPending}
              onPress={() => asked && end.mutate(asked)}
            >
              {title}
            </Button>
            <Button look="secondary" onPress={() => setAsked(undefined)}>
              {text('account.cancel')}
            </Button>
          </>
        }
      >
        <p>
          {asked === undefined || asked === 'others'
            ? text('account.endOthersBody')
            : text('account.endOneBody', { device: nameOf(asked, text) })}
        </p>
        <ActionError error={end.error} />
      </Sheet>
    </>
  )
}

const PHONES = ['Android', 'iPhone', 'iPad']

function DeviceRow({ device, onEnd }: { device: Device; onEnd(): void }) {
  const text = useText()
  const name = nameOf(device, text)
  const Icon = PHONES.includes(device.system ?? '') ? Smartphone : MonitorSmartphone
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Icon size={20} aria-hidden className="shrink-0 text-brand" />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="text-sm text-muted">
          {device.is_current
            ? text('account.thisDevice')
            : text('account.lastUsed', { time: text.date(device.used_at) })}
        </span>
        <span className="text-sm text-muted">
          {text('account.since', { time: text.date(device.created_at) })}
        </span>
      </div>
      {!device.is_current && (
        <Button look="quiet" aria-label={text('account.endWho', { device: name })} onPress={onEnd}>
          {text('account.end')}
        </Button>
      )}
    </div>
  )
}

function nameOf({ browser, system }: Device, text: Text): string {
  if (browser !== null && system !== null) return text('account.device', { browser, system })
  return browser ?? system ?? text('account.unknownDevice')
}
