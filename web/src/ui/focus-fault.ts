/** Leads to the field that the first fault is about, by its name. Is there one? */
export function focusFault(form: HTMLFormElement | null, faults: object): boolean {
  const [name] = Object.keys(faults)
  if (name === undefined) return false
  form?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus()
  return true
}
