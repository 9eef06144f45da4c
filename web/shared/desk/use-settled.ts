import { useEffect, useState } from 'react'

const PAUSE_MS = 500

/** A value once it has stopped changing: nobody is asked about half a word. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
