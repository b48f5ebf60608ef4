import { NUMBER_LABEL_MAX } from '@trunkline/contract/limits'
import { countryName } from '@trunkline/domain/countries'
import { type NumberStatus, type NumberType, numberStatuses, numberTypes } from '@trunkline/domain/ringing'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'
import { numberTypeWords } from '../../common/number-types.ts'
import { statusWords } from './words.ts'

/** Search parameters of the screen. */
export type NumbersSearch = Partial<{
  search: string
  status: NumberStatus
  country: string
  type: NumberType
  /** The carrier. */
  trunk: number
  /** The customer who rents the number, or for whom it is reserved. */
  user: number
  tag: string
  /** The page after this number. */
  after: number
  /** The number whose details are open. */
  number: number
}>

export type Selection = Omit<NumbersSearch, 'after' | 'number'>

const TAG_MAX = 40

const shortText = (value: unknown, max: number) => textIn(value)?.trim().slice(0, max) || undefined

/** Ignores values that are not valid. */
export function readSearch(raw: Record<string, unknown>): NumbersSearch {
  const country = textIn(raw.country)?.toUpperCase() ?? ''
  return withoutGaps({
    search: shortText(raw.search, NUMBER_LABEL_MAX),
    status: oneOf(numberStatuses, raw.status),
    country: /^([A-Z]{2}|001)$/.test(country) ? country : undefined,
    type: oneOf(numberTypes, raw.type),
    trunk: idIn(raw.trunk),
    user: idIn(raw.user),
    tag: shortText(raw.tag, TAG_MAX),
    after: idIn(raw.after),
    number: idIn(raw.number),
  })
}

export const selectionOf = ({ after: _, number: __, ...selection }: NumbersSearch): Selection => selection

type Names = { trunk?: string | undefined; user?: string | undefined }

const texts: {
  [Name in keyof Selection]-?: (value: NonNullable<Selection[Name]>, names: Names) => string
} = {
  search: (text) => `Search: ${text}`,
  status: (status) => `Status: ${statusWords[status].label}`,
  country: (code) => `Country: ${countryName(code)}`,
  type: (type) => `Type: ${numberTypeWords[type]}`,
  trunk: (id, { trunk }) => `Carrier: ${trunk ?? id}`,
  user: (id, { user }) => `Customer: ${user ?? id}`,
  tag: (tag) => `Tag: ${tag}`,
}

/** The text of each filter, and the selection without it. */
export const describeFilters = (selection: Selection, names: Names): { text: string; without: Selection }[] =>
  (Object.keys(texts) as (keyof Selection)[]).flatMap((name) => {
    const { [name]: value, ...without } = selection
    const write = texts[name] as (value: unknown, names: Names) => string
    return value === undefined ? [] : [{ text: write(value, names), without }]
  })
