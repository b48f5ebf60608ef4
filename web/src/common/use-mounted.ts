import { type RefObject, useEffect, useRef } from 'react'

/** Tells an answer that arrives late whether the user has left meanwhile. */
export function useMounted(): RefObject<boolean> {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
