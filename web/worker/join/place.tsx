import { useMutation } from '@tanstack/react-query'
import { LocateFixed } from 'lucide-react'
import { useText } from '../text/use-text.tsx'
import { SlidingAmount } from '../../shared/ui/amount.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { PlaceSearch } from '../find/place-search.tsx'
import { RADIUS_KM } from '../find/wishes.ts'
import { askRoughly, whyUnknown } from './position.ts'

export interface WorkPlace {
  label: string
  /** The position of the phone or of a suggested town. Without one, the server looks up the name. */
  lat?: number
  lng?: number
  radius_km: number
}

export const NOWHERE: WorkPlace = { label: '', radius_km: RADIUS_KM.usual }

/** A town, or the phone's position, and a radius. */
export function PlaceChoice({
  value,
  onChange,
  problem,
}: {
  value: WorkPlace
  onChange(place: WorkPlace): void
  problem?: string | undefined
}) {
  const text = useText()
  const here = useMutation({
    mutationFn: askRoughly,
    onSuccess: (position) =>
      onChange({ label: text('place.here'), ...position, radius_km: value.radius_km }),
  })
  const refused = here.error ? text(whyUnknown(here.error)) : undefined
  return (
    <>
      <div className="flex flex-col gap-2">
        <PlaceSearch
          label={text('place.town')}
          placeholder={text('place.example')}
          value={value.label}
          onChange={(label) => {
            here.reset()
            onChange({ label, radius_km: value.radius_km })
          }}
          onPick={({ name, detail, lat, lng }) =>
            onChange({ label: `${name}, ${detail}`, lat, lng, radius_km: value.radius_km })
          }
          problem={problem ?? refused}
        />
        <Button look="secondary" isPending={here.isPending} onPress={() => here.mutate()}>
          <LocateFixed size={20} aria-hidden />
          {text('place.use')}
        </Button>
        <p className="text-sm text-muted">{text('place.privacy')}</p>
      </div>
      <SlidingAmount
        label={text('place.howFar')}
        lessLabel={text('place.less')}
        moreLabel={text('place.more')}
        format={{ style: 'unit', unit: 'kilometer' }}
        min={RADIUS_KM.min}
        max={RADIUS_KM.max}
        sliderMax={RADIUS_KM.slider}
        value={value.radius_km}
        onChange={(radius_km) => onChange({ ...value, radius_km })}
      />
    </>
  )
}

/** In the API's format. A place needs a name. */
export const placeToSend = ({ label, lat, lng, radius_km }: WorkPlace) =>
  label.trim() === ''
    ? null
    : { label: label.trim(), radius_km, ...(lat === undefined ? {} : { lat, lng: lng! }) }
