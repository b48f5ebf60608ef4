import { countryCode } from '../countries/index.ts'
import { parsePrice, readCsv, separatorOf } from '../decks/index.ts'
import type { Micros } from '../money/index.ts'
import { type LineType, parseNumber } from '../numbers/index.ts'
import { type NumberType, numberTypes } from '../ringing/index.ts'
import { type Column, findColumns, inventoryColumns } from './columns.ts'

/** Values that the line gives. An empty field gives none. */
export type LineValues = {
  area?: string
  type?: NumberType
  /** Name of the carrier, as written. */
  trunk?: string
  monthly?: Micros
  setup?: Micros
  price?: Micros
  cost_monthly?: Micros
  cost?: Micros
  max_calls?: number
  tags?: string[]
  note?: string
}

export type LineFault =
  | {
      readonly kind: 'number_invalid' | 'country_unknown' | 'country_differs' | 'type_unknown' | 'quote_open'
    }
  | { readonly kind: 'value_invalid'; readonly column: Column }
  | { readonly kind: 'duplicate'; readonly line: number }

export type InventoryLine = {
  readonly line: number
  /** As written. */
  readonly written: string
  /** Digits and country, if the number is valid. */
  readonly e164: string | null
  readonly country: string | null
  /** The type by the numbering plan. */
  readonly usualType: NumberType
  readonly values: LineValues
  readonly fault: LineFault | null
}

export type InventoryList =
  | { readonly ok: true; readonly lines: readonly InventoryLine[] }
  | { readonly ok: false; readonly reason: 'no_number_column' | 'empty' }

export type InventoryLimits = {
  readonly rentMicros: Micros
  readonly priceMicros: Micros
  readonly calls: number
  readonly label: number
  readonly note: number
  readonly tags: number
  readonly tag: number
}

/** Lines per step of the event loop. */
const STEP = 200

/** Reads a list of numbers. Yields between steps, because parsing thousands of numbers takes a while. */
export function* readInventory(
  text: string,
  limits: InventoryLimits,
): Generator<undefined, InventoryList, undefined> {
  const lines: InventoryLine[] = []
  const firstAt = new Map<string, number>()
  let at: Partial<Record<Column, number>> | null = null
  for (const { line, fields, isOpen } of readCsv(text, separatorOf(text))) {
    if (fields.every((field) => field.trim() === '')) continue
    if (at === null) {
      const header = parseNumber(plain(fields[0] ?? '')) ? null : findColumns(fields)
      at = header ?? inOrder
      if (at.number === undefined) return { ok: false, reason: 'no_number_column' }
      if (header) continue
    }
    const read = readLine(fields, at, limits)
    const first = read.e164 === null ? undefined : firstAt.get(read.e164)
    if (read.e164 !== null && first === undefined) firstAt.set(read.e164, line)
    const fault: LineFault | null = isOpen
      ? { kind: 'quote_open' }
      : (read.fault ?? (first === undefined ? null : { kind: 'duplicate', line: first }))
    lines.push({ ...read, line, fault })
    if (lines.length % STEP === 0) yield
  }
  return lines.length === 0 ? { ok: false, reason: 'empty' } : { ok: true, lines }
}

const inOrder: Partial<Record<Column, number>> = Object.fromEntries(
  inventoryColumns.map((column, at) => [column, at]),
)

/** Removes the text forms of spreadsheets, `'44` and `="44"`. */
const plain = (field: string): string =>
  field
    .trim()
    .replace(/^="?([^"]*)"?$/, '$1')
    .replace(/^'/, '')
    .trim()

function readLine(
  fields: readonly string[],
  at: Partial<Record<Column, number>>,
  limits: InventoryLimits,
): Omit<InventoryLine, 'line'> {
  const cell = (column: Column): string => plain(fields[at[column] ?? -1] ?? '')
  const written = cell('number').slice(0, 40)
  const givenCountry = cell('country')
  const home = givenCountry === '' ? null : countryCode(givenCountry)
  const parsed = parseNumber(written, home)
  const values: LineValues = {}
  const fault =
    valuesFault(cell, values, limits) ??
    (givenCountry !== '' && home === null ? ({ kind: 'country_unknown' } as const) : null)
  const numberFault: LineFault | null =
    parsed === null
      ? { kind: 'number_invalid' }
      : home !== null && home !== parsed.country
        ? { kind: 'country_differs' }
        : null
  return {
    written,
    e164: parsed?.e164 ?? null,
    country: parsed?.country ?? null,
    usualType: typeByPlan(parsed?.lineType),
    values,
    fault: numberFault ?? fault,
  }
}

export function typeByPlan(lineType: LineType | undefined): NumberType {
  if (lineType === 'toll_free') return 'toll_free'
  if (lineType === 'mobile') return 'mobile'
  return lineType === 'landline' || lineType === 'landline_or_mobile' ? 'local' : 'national'
}

/** Fills `values` and returns the first fault. */
function valuesFault(
  cell: (column: Column) => string,
  values: LineValues,
  limits: InventoryLimits,
): LineFault | null {
  const faults: LineFault[] = []
  const invalid = (column: Column) => faults.push({ kind: 'value_invalid', column })
  for (const [column, most] of [
    ['area', limits.label],
    ['trunk', limits.label],
    ['note', limits.note],
  ] as const) {
    const text = cell(column)
    if (text.length > most) invalid(column)
    else if (text !== '') values[column] = text
  }
  for (const [column, most] of [
    ['monthly', limits.rentMicros],
    ['setup', limits.rentMicros],
    ['price', limits.priceMicros],
    ['cost_monthly', limits.rentMicros],
    ['cost', limits.priceMicros],
  ] as const) {
    const text = cell(column)
    if (text === '') continue
    const amount = parsePrice(text, true)
    if (typeof amount === 'string' || amount > most) invalid(column)
    else values[column] = amount
  }
  const calls = cell('max_calls')
  if (calls !== '') {
    const count = /^\d{1,6}$/.test(calls) ? Number(calls) : 0
    if (count < 1 || count > limits.calls) invalid('max_calls')
    else values.max_calls = count
  }
  const type = cell('type')
  if (type !== '') {
    const known = typeOf(type)
    if (known === null) faults.push({ kind: 'type_unknown' })
    else values.type = known
  }
  const tags = [
    ...new Set(
      cell('tags')
        .split(/[;|,]/)
        .map((tag) => tag.trim()),
    ),
  ].filter((tag) => tag !== '')
  if (tags.length > limits.tags || tags.some((tag) => tag.length > limits.tag)) invalid('tags')
  else if (tags.length > 0) values.tags = tags
  return faults[0] ?? null
}

const TYPES: Readonly<Record<string, NumberType>> = {
  geographic: 'local',
  landline: 'local',
  fixed: 'local',
  geo: 'local',
  cell: 'mobile',
  cellular: 'mobile',
  nongeographic: 'national',
  tollfree: 'toll_free',
  freephone: 'toll_free',
  freecall: 'toll_free',
}

function typeOf(text: string): NumberType | null {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return numberTypes.find((type) => type.replace('_', '') === word) ?? TYPES[word] ?? null
}
