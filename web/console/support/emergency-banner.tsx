import { Siren } from 'lucide-react'
import { Banner } from '../../shared/ui/card.tsx'

export function EmergencyBanner() {
  return (
    <Banner tone="warn" icon={<Siren size={18} aria-hidden />}>
      In an emergency, call the local emergency number of the place first.
    </Banner>
  )
}
