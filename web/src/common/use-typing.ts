import { useEffect, useRef, useState } from 'react'

/** Long enough to finish a word, short enough not to wait for. */
const PAUSE_MS = 300

/** What is being typed, handed on when the hand rests. A value that changes elsewhere replaces what was typed. */
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
