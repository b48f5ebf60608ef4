import { useEffect, useState } from 'react'

/** The text after the user has stopped typing. */
export function useRested(text: string, restMs = 300): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return rested
}
