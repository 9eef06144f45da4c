import { useEffect, useState } from 'react'

const PAUSE_MS = 500

/** Debounces a value, so that no request is sent for half a word. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
