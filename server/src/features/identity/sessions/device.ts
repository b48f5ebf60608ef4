/** Ordered, because most user agents also contain the names of other browsers. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
]

const systems: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]

const PROGRAM = /^([A-Za-z][A-Za-z0-9._-]{0,39})(?:\/|$)/

/** Describes a user agent, for example "Firefox on Windows". Programs are shown by their name. */
export function deviceOf(userAgent: string): string {
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)]
  if (browser && system) return `${browser} on ${system}`
  const program = PROGRAM.exec(userAgent)?.[1]
  return browser ?? (program === 'Mozilla' ? system : program) ?? system ?? 'Unknown device'
}

const nameIn = (signs: typeof browsers, userAgent: string): string | undefined =>
  signs.find(([, sign]) => sign.test(userAgent))?.[0]
