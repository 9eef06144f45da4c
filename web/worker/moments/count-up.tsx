import { useEffect, useState } from 'react'
import { useText } from '../text/use-text.tsx'

const COUNT_MS = 800
const TAP_MS = 20

/**
 * An amount that counts up to its value once, with a short vibration at the end. Screen readers get the value only, and
 * with reduced motion it is there at once.
 */
export function CountUp({ cents, isMoving }: { cents: number; isMoving: boolean }) {
  const text = useText()
  const [shown, setShown] = useState(() => (isMoving && !isMotionReduced() ? 0 : cents))
  useEffect(() => {
    if (!isMoving || isMotionReduced()) return setShown(cents)
    const began = performance.now()
    let frame = requestAnimationFrame(function count(now) {
      const share = Math.min(1, Math.max(0, now - began) / COUNT_MS)
      setShown(Math.round(cents * easeOut(share)))
      if (share < 1) frame = requestAnimationFrame(count)
      else vibrate()
    })
    return () => cancelAnimationFrame(frame)
  }, [cents, isMoving])
  const whole = text.money(cents)
  if (shown === cents) return whole
  return (
    <>
      <span aria-hidden style={{ display: 'inline-block', minInlineSize: `${whole.length}ch` }}>
        {text.money(shown)}
      </span>
      <span className="sr-only">{whole}</span>
    </>
  )
}

const easeOut = (share: number) => 1 - (1 - share) ** 3

const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Browsers allow it only after the person has touched the page, and warn otherwise. */
function vibrate(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TAP_MS)
}
