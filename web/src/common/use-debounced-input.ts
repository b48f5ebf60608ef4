import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 300

/** Debounced input. A new `value` from outside replaces the typed text. */
export function useDebouncedInput(
  value: string,
  onChange: (typed: string) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)
  const latestOnChange = useRef(onChange)
  latestOnChange.current = onChange

  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])

  useEffect(() => {
    const trimmed = typed.trim()
    if (trimmed === reported.current) return
    const timer = setTimeout(() => {
      reported.current = trimmed
      latestOnChange.current(trimmed)
    }, DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return [typed, setTyped]
}
