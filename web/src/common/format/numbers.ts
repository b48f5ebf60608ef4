import { cached, currentViewer, NOTHING, type Viewer } from './viewer.ts'

type Figure = number | null | undefined

/**
 * Dollars always have a decimal point, as in the specification. Regions with a decimal comma get the separators of US
 * English, so that one screen does not use both signs.
 */
function localeOfFigures({ locale }: Viewer): string {
  return new Intl.NumberFormat(locale).format(1.5) === '1.5' ? locale : 'en-US'
}

function formatterOf(options: Intl.NumberFormatOptions) {
  const formatter = cached(
    (viewer) =>
      new Intl.NumberFormat(localeOfFigures(viewer), {
        numberingSystem: 'latn',
        signDisplay: 'negative',
        ...options,
      }),
  )
  return (figure: Figure, viewer: Viewer = currentViewer()): string =>
    figure === null || figure === undefined || Number.isNaN(figure)
      ? NOTHING
      : formatter(viewer).format(figure)
}

/** `1,234` or `1,234.5` */
export const formatNumber = formatterOf({ maximumFractionDigits: 3 })

/** `1,234.0`: one decimal, so that columns line up. */
export const formatDecimal = formatterOf({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** `1,234 calls`, `1 call` */
export const formatCount = (figure: number, one: string, many = `${one}s`, viewer?: Viewer): string =>
  `${formatNumber(figure, viewer)} ${figure === 1 ? one : many}`

const withSign = (text: string): string => (text === NOTHING ? text : `${text}%`)

/** `61.4%`, for a measured share. */
export const formatPercent = (percent: Figure, viewer?: Viewer): string =>
  withSign(formatDecimal(percent, viewer))

/** `10%` or `12.5%`, for a share that somebody has set, and for an axis. */
export const formatShortPercent = (percent: Figure, viewer?: Viewer): string =>
  withSign(formatNumber(percent, viewer))
