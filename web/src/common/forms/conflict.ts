/** A field that someone else changed, with its values in words. */
export type Change = { label: string; was: string; is: string }

export type Comparison<Values> = {
  /** Every field that takes part, in the order in which changes are listed. */
  labels: Readonly<Partial<Record<keyof Values, string>>>
  isSame?: ((name: keyof Values, left: Values, right: Values) => boolean) | undefined
  show?: ((name: keyof Values, values: Values) => string) | undefined
}

const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : JSON.stringify(value))

const isSameText = <Values>(name: keyof Values, left: Values, right: Values): boolean =>
  plain(left[name]) === plain(right[name])

function inWords<Values>(name: keyof Values, values: Values): string {
  const value = values[name]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || 'None'
}

/** The fields whose values differ. */
export function changedFields<Values>(
  before: Values,
  now: Values,
  { labels, isSame = isSameText }: Comparison<Values>,
): (keyof Values)[] {
  return (Object.keys(labels) as (keyof Values)[]).filter((name) => !isSame(name, before, now))
}

/** Keeps what the user typed and takes everything else from the saved values. */
export function merge<Values extends object>(
  typed: Values,
  before: Values,
  saved: Values,
  comparison: Comparison<Values>,
): { values: Values; changes: Change[] } {
  const { labels, show = inWords } = comparison
  const mine = changedFields(before, typed, comparison).map((name) => [name, typed[name]])
  return {
    values: { ...saved, ...Object.fromEntries(mine) },
    changes: changedFields(before, saved, comparison).map((name) => ({
      label: labels[name] ?? String(name),
      was: show(name, before),
      is: show(name, saved),
    })),
  }
}
