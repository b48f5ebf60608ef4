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

let knownZone: string | undefined

/** The IANA time zone of the viewer, or UTC if the browser reports none. Read once, because a slow phone needs 30 ms for it. */
export const viewersZone = (): string => {
  knownZone ??= readZone()
  return knownZone
}

function readZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return /^[A-Za-z]/.test(zone ?? '') && zone !== 'Etc/Unknown' ? zone : 'UTC'
}

let known: Viewer | undefined

/** Read once, because tables format thousands of values. */
export const currentViewer = (): Viewer => {
  known ??= { locale: localeFor(globalThis.navigator?.language), timeZone: viewersZone() }
  return known
}

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
