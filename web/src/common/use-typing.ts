import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 300

/** Debounced input. A new `value` from outside replaces the typed text. */
export function useTyping(value: string, onRest: (typed: string) => void): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const handOn = useRef(onRest)
  handOn.current = onRest

  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setTyped(value)
  }, [value])

  useEffect(() => {
    const rest = typed.trim()
    if (rest === told.current) return
    const timer = setTimeout(() => {
      told.current = rest
      handOn.current(rest)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return [typed, setTyped]
}
