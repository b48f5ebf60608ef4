/** Columns of a list of numbers, in the order of a list without a header. */
export const inventoryColumns = [
  'number',
  'country',
  'area',
  'type',
  'trunk',
  'monthly',
  'setup',
  'price',
  'cost_monthly',
  'cost',
  'max_calls',
  'tags',
  'note',
] as const
export type Column = (typeof inventoryColumns)[number]

/** Names that carriers and people write, without units. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  number: list(
    'number, phone number, telephone number, phone, telephone, did, ddi, did number, e164, msisdn, tn',
  ),
  country: list('country, country code, iso, iso country, nation'),
  area: list('area, city, region, area name, rate center, ratecenter, location, town, locality, place'),
  type: list('type, number type, kind, category, class'),
  trunk: list('trunk, carrier, supplier, provider, vendor, trunk name, carrier name'),
  monthly: list(
    'monthly, monthly price, monthly rent, monthly fee, price month, rent, month, mrc, price monthly, monthly charge, recurring fee',
  ),
  setup: list(
    'setup, set up, setup fee, set up fee, setup price, nrc, activation, activation fee, one time fee, setup charge',
  ),
  price: list(
    'price, incoming, price minute, incoming price, inbound price, rate, incoming rate, inbound rate, minute price',
  ),
  cost_monthly: list(
    'cost monthly, monthly cost, cost month, rent cost, carrier monthly, carrier rent, buy monthly, buy rent, cost rent',
  ),
  cost: list(
    'cost, cost minute, incoming cost, inbound cost, buy price, buy rate, carrier cost, minute cost',
  ),
  max_calls: list(
    'max calls, channels, simultaneous calls, concurrent calls, lines, maximum calls, calls, capacity',
  ),
  tags: list('tags, tag, labels, label'),
  note: list('note, notes, comment, comments, remark, remarks, description'),
}

function list(names: string): readonly string[] {
  return names.split(/,\s+/)
}

/** "Price (USD/min)" means "price". Other currencies stay, so "Price EUR" is not read as dollars. */
const UNITS = new Set(['usd', 'us', 'dollars', 'dollar', 'per', 'in', 'the', 'of'])
const SAME: Readonly<Record<string, string>> = { min: 'minute', mo: 'month' }

function plainName(written: string): string {
  return written
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('e.164', 'e164')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => !UNITS.has(word))
    .map((word) => SAME[word] ?? word)
    .join(' ')
}

/** Where each column is, or null if no column has a known name. */
export function findColumns(header: readonly string[]): Partial<Record<Column, number>> | null {
  const plain = header.map(plainName)
  const at: Partial<Record<Column, number>> = {}
  for (const column of inventoryColumns) {
    const name = NAMES[column].find((each) => plain.includes(each))
    if (name !== undefined) at[column] = plain.indexOf(name)
  }
  return Object.keys(at).length === 0 ? null : at
}
