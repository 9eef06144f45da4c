import { useMutation, useQuery } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { ActionError } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { PROBLEMS } from '../money/connect.ts'
import { countriesQuery, likelyCountry } from '../money/countries.ts'
import { CountryChoice } from '../money/country-choice.tsx'
import type { ShutOut } from './shut-out.ts'

const KEPT = 'objection-token'

/** The payment processor redirects back without the token, so keep it in this tab. */
export const keptToken = () => sessionStorage.getItem(KEPT) ?? ''

/** Earned money that wasn't paid out, and how to get it without a session. */
export function Owed({ shutOut, token }: { shutOut: ShutOut; token: string }) {
  const text = useText()
  const { payable_cents: cents, payout_status: status } = shutOut
  const { data: known } = useQuery(countriesQuery())
  const [chosen, setChosen] = useState<string>()
  const country = chosen ?? (known && likelyCountry(known))
  const isFirst = status === 'not_connected'
  const connect = useMutation({
    mutationFn: () =>
      api.post('/worker/objections/payout-account', {
        body: isFirst && country !== undefined ? { token, country } : { token },
      }),
    onSuccess({ onboarding_url }) {
      sessionStorage.setItem(KEPT, token)
      location.assign(onboarding_url)
    },
  })
  const isRefused = status === 'rejected' || status === 'closed'
  return (
    <Card>
      <h2 className="font-semibold">{text('objection.owed')}</h2>
      <p className="text-money leading-tight font-bold">{text.money(cents)}</p>
      <p className="text-muted">{text(isRefused ? `payout.what_${status}` : wordsFor(shutOut))}</p>
      {isFirst && known !== undefined && (
        <CountryChoice known={known} value={country} onChange={setChosen} />
      )}
      <ActionError error={connect.error} words={PROBLEMS} />
      {!isRefused && (
        <Button
          isWide
          look={status === 'active' ? 'secondary' : 'primary'}
          isDisabled={isFirst && country === undefined}
          isPending={connect.isPending}
          onPress={() => connect.mutate()}
        >
          <Landmark size={20} aria-hidden />
          {text(isFirst ? 'objection.addBank' : 'objection.updateBank')}
        </Button>
      )}
    </Card>
  )
}

function wordsFor({ payable_cents, payout_status }: ShutOut) {
  if (payable_cents === 0) return 'objection.owedNone'
  if (payout_status === 'active') return 'objection.owedReady'
  return payout_status === 'not_connected' ? 'objection.owedAdd' : 'objection.owedUpdate'
}
