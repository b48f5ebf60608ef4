/** The columns that can be hidden, in their order, and whether they are shown at first. */
export const choices = {
  User: true,
  Caller: true,
  Destination: true,
  Carrier: true,
  Route: false,
  Duration: true,
  Cost: true,
  Margin: true,
  'SIP code': true,
  Device: false,
  Reason: false,
  Status: true,
} as const
export type ColumnName = keyof typeof choices
export type ColumnChoice = Record<ColumnName, boolean>

const KEY = 'admin-calls-columns'

/** The choice in this browser. Stored is the difference to the default, so that a new column appears. */
export function recallColumns(): ColumnChoice {
  return withStored(readStored())
}

export function rememberColumns(choice: ColumnChoice): void {
  const changed = Object.entries(choice).filter(([name, isShown]) => choices[name as ColumnName] !== isShown)
  try {
    if (changed.length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(changed)))
  } catch {
    // Storage is unavailable; the choice lasts until the page is closed.
  }
}

function readStored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Ignores unknown columns and invalid values. */
function withStored(stored: unknown): ColumnChoice {
  const changes = new Map(Object.entries(Object(stored)))
  return Object.fromEntries(
    Object.entries(choices).map(([name, isShown]) => {
      const change = changes.get(name)
      return [name, typeof change === 'boolean' ? change : isShown]
    }),
  ) as ColumnChoice
}
