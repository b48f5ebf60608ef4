import { type RefObject, useEffect, useRef } from 'react'

/** Leads to the field that the first fault is about, by its name. Is there one? */
export function focusFault(form: HTMLFormElement | null, faults: object): boolean {
  const [name] = Object.keys(faults)
  if (name === undefined) return false
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus()
  return true
}

/** For a form whose faults are told by whoever it was sent to: leads to the first field that shows one, as soon as it does. */
export function useFaultFocus(fault: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [fault])
  return form
}
