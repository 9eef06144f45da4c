import { Siren } from 'lucide-react'
import { useText } from '../text/use-text.tsx'
import { Banner } from '../../shared/ui/card.tsx'

export function EmergencyBanner() {
  const text = useText()
  return (
    <Banner tone="warn" icon={<Siren size={20} aria-hidden />}>
      {text('help.emergency')}
    </Banner>
  )
}
