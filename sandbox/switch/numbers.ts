import { between, type Chance, oneOf } from './random.ts'

/**
 * Patterns of numbers to dial; `#` is any digit. They use numbers reserved for fiction where those are valid (United States,
 * Canada, Australia, fixed lines of the United Kingdom, Germany and France). No number is ever really dialed.
 */
const PATTERNS = {
  US: [
    '121255501##',
    '141555501##',
    '131255501##',
    '161755501##',
    '120655501##',
    '130555501##',
    '151255501##',
  ],
  CA: ['141655501##', '160455501##', '151455501##'],
  GB: ['4420794600##', '4420794609##', '4416149600##', '4413149601##', '447482######', '447533######'],
  DE: ['493023125###', '496990009###', '494066969###', '498999998###', '4917139200##'],
  FR: ['33199001###', '33199002###', '33261910###', '33465710###', '33612######', '33678######'],
  IN: ['919820######', '919845######', '919811######', '912266######', '918049######'],
  AU: ['612555011##', '613555020##', '617555030##', '61491570###'],
  ES: ['34910######', '34931######', '34612######'],
  NL: ['31207######', '31106######', '31612######'],
  BR: ['55113030####', '5511987######', '55212220####'],
  JP: ['81345######', '8166345####', '8190123#####'],
  MX: ['525555######', '523331######', '528183######'],
} as const satisfies Record<string, readonly string[]>

export type DialedCountry = keyof typeof PATTERNS
export const dialedCountries = Object.keys(PATTERNS) as DialedCountry[]

/** Countries without a demo route, premium numbers, and invalid numbers. */
const NOT_SOLD = [
  '393331######',
  '48501######',
  '27821######',
  '6681#######',
  '4490987#####',
  '870773######',
  '911',
  '0000',
]

/** Distinct numbers per pattern, because people dial the same few numbers repeatedly. */
const IN_USE = 40
const DIALLING = ['', '', '+', '+', '00']

const filled = (chance: Chance, pattern: string): string =>
  pattern.replaceAll('#', () => String(Math.floor(chance() * 10)))

export function dialedNumber(chance: Chance, country: DialedCountry): string {
  const pattern = oneOf(chance, PATTERNS[country])
  const figure = String(between(chance, 0, IN_USE - 1) * 7919 + 1234567)
  let at = 0
  const digits = pattern.replaceAll('#', () => figure.at(-1 - (at++ % figure.length)) ?? '0')
  return `${oneOf(chance, DIALLING)}${digits}`
}

export const numberNotSold = (chance: Chance): string => filled(chance, oneOf(chance, NOT_SOLD))
