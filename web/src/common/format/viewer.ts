/** Whose conventions a text follows. Tests pass their own. */
export type Viewer = {
  /** English, because all texts are English, in the viewer's region: `en-DE` is `16 Nov 2026, 15:19`. */
  locale: string
  timeZone: string
}

/** Shown for a missing value. */
export const NOTHING = '–'

/** English in the region of a browser language. `de` alone means Germany. */
export function localeFor(language: string | undefined): string {
  try {
    const region = language && new Intl.Locale(language).maximize().region
    return region ? `en-${region}` : 'en-US'
  } catch {
    return 'en-US'
  }
}

/** The IANA name, or UTC if the browser reports none. */
function readZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return /^[A-Za-z]/.test(zone ?? '') && zone !== 'Etc/Unknown' ? zone : 'UTC'
}

let known: Viewer | undefined

/** Read once: tables format thousands of values, and a slow phone needs 30 ms for the time zone. */
export const currentViewer = (): Viewer => {
  known ??= { locale: localeFor(globalThis.navigator?.language), timeZone: readZone() }
  return known
}

export const viewersZone = (): string => currentViewer().timeZone

/** Creating a formatter takes about a hundred times as long as using it. */
export function cached<Formatter>(create: (viewer: Viewer) => Formatter): (viewer: Viewer) => Formatter {
  const made = new Map<string, Formatter>()
  return (viewer) => {
    const key = `${viewer.locale} ${viewer.timeZone}`
    const formatter = made.get(key) ?? create(viewer)
    made.set(key, formatter)
    return formatter
  }
}
