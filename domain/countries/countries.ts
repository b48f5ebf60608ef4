/** Two-letter ISO 3166 code, or `001` for numbers without a country (satellite, +800, +883 ...). */
export type CountryCode = string

export const INTERNATIONAL: CountryCode = '001'

export type Country = { readonly code: CountryCode; readonly name: string }

/** Every country with its own phone numbers. A test compares the list with the numbering plans. */
const CODES = `
  AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM
  FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
  JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN
  MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT
  PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK
  TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW ${INTERNATIONAL}`
  .trim()
  .split(/\s+/)

/** Calls `make` on the first use. Names and their order take a slow phone 120 ms, which no first screen needs. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Sorted by name. */
export const allCountries = once((): readonly Country[] => {
  const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })
  const { compare } = new Intl.Collator('en')
  return CODES.map((code) => ({
    code,
    name: code === INTERNATIONAL ? 'International networks' : (regionNames.of(code) ?? code),
  })).sort((left, right) => compare(left.name, right.name))
})

/** Removes accents and typographic apostrophes, so "Cote d'Ivoire" matches "Côte d’Ivoire". */
const folded = (text: string): string =>
  text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replaceAll('’', "'")
    .toLowerCase()

const names = once(() => new Map(allCountries().map(({ code, name }) => [code, name])))
const codes = once(
  () =>
    new Map(
      allCountries().flatMap(({ code, name }) => [
        [folded(name), code] as const,
        [folded(code), code] as const,
      ]),
    ),
)

/** The English name, or the code itself if it is unknown. */
export const countryName = (code: CountryCode): string => names().get(code) ?? code

/** Looks up a full name or a code, ignoring case and accents. */
export const countryCode = (nameOrCode: string): CountryCode | null => codes().get(folded(nameOrCode)) ?? null
