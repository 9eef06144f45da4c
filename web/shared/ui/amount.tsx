import { Minus, Plus } from 'lucide-react'
import { Button } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { NumberField } from 'react-aria-components/NumberField'
import { Slider, SliderThumb, SliderTrack } from 'react-aria-components/Slider'

interface AmountProps {
  label: string
  value: number
  min: number
  max: number
  format: Intl.NumberFormatOptions
  lessLabel: string
  moreLabel: string
  onChange(value: number): void
}

/** A number input with buttons to step it. */
export function Amount({
  label,
  value,
  min,
  max,
  format,
  lessLabel,
  moreLabel,
  onChange,
}: AmountProps) {
  return (
    <NumberField
      value={value}
      minValue={min}
      maxValue={max}
      step={1}
      formatOptions={format}
      onChange={(entered) => onChange(Number.isNaN(entered) ? min : entered)}
      className="flex flex-col gap-1"
    >
      <Label className="text-sm font-semibold">{label}</Label>
      <Group className="flex min-h-control w-full rounded-field border border-control bg-surface">
        <Button
          slot="decrement"
          aria-label={lessLabel}
          className="flex w-12 shrink-0 items-center justify-center disabled:opacity-60"
        >
          <Minus size={18} aria-hidden />
        </Button>
        <Input className="w-full min-w-0 bg-transparent text-center text-base" />
        <Button
          slot="increment"
          aria-label={moreLabel}
          className="flex w-12 shrink-0 items-center justify-center disabled:opacity-60"
        >
          <Plus size={18} aria-hidden />
        </Button>
      </Group>
    </NumberField>
  )
}

/** The same with a slider. The slider's maximum may be lower than the input's. */
export function SlidingAmount({ sliderMax, ...props }: AmountProps & { sliderMax: number }) {
  const { label, value, min, format, onChange } = props
  return (
    <div className="flex flex-col gap-1">
      <Amount {...props} />
      <Slider
        aria-label={label}
        value={Math.min(value, sliderMax)}
        minValue={min}
        maxValue={sliderMax}
        step={1}
        formatOptions={format}
        onChange={onChange}
        className="px-3"
      >
        <SliderTrack className="relative flex h-11 w-full items-center">
          {({ state }) => (
            <>
              <span className="h-1.5 w-full overflow-hidden rounded-full bg-raised">
                <span
                  className="block h-full rounded-full bg-brand"
                  style={{ width: `${state.getThumbPercent(0) * 100}%` }}
                />
              </span>
              <SliderThumb className="top-1/2 size-7 rounded-full border-4 border-surface bg-brand shadow-card data-[focus-visible]:outline-3 outline-focus" />
            </>
          )}
        </SliderTrack>
      </Slider>
    </div>
  )
}
