import { useLayoutEffect, useState } from 'react'

/** Keys that were pressed while a palette was being loaded. */
export type TypedAhead = { text: string; isEntered: boolean }

const NOTHING: TypedAhead = { text: '', isEntered: false }

/** Null for keys that are not kept. After Enter nothing more is: it belongs to the next screen. */
function after(typed: TypedAhead, { key }: KeyboardEvent): TypedAhead | null {
  if (typed.isEntered) return typed
  if (key === 'Enter') return { ...typed, isEntered: true }
  if (key === 'Backspace') return { ...typed, text: typed.text.slice(0, -1) }
  return key.length === 1 ? { ...typed, text: typed.text + key } : null
}

const isShortcut = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')

/** Keeps what is typed between the key that opens a palette and the focus of its input. Escape closes it. */
export function useTypedAhead(isOpen: boolean, isLoaded: boolean, onClose: () => void): TypedAhead {
  const [typed, setTyped] = useState(NOTHING)
  const isWaiting = isOpen && !isLoaded
  if (!isOpen && typed !== NOTHING) setTyped(NOTHING)

  // A layout effect ends in the same commit that focuses the input.
  useLayoutEffect(() => {
    if (!isWaiting) return
    let latest = NOTHING
    function keep(event: KeyboardEvent) {
      if (event.isComposing || isShortcut(event)) return
      const next = event.key === 'Escape' ? NOTHING : after(latest, event)
      if (next === null) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') return onClose()
      latest = next
      setTyped(next)
    }
    addEventListener('keydown', keep, { capture: true })
    return () => removeEventListener('keydown', keep, { capture: true })
  }, [isWaiting, onClose])

  return typed
}
