import { NUMBER_CALLS_MAX, PRICE_MAX_DOLLARS, RENT_MAX_DOLLARS } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { AdminNumber } from '@trunkline/contract/numbers'
import type { NumberType } from '@trunkline/domain/ringing'
import { toMicros } from '../../common/dollars.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'

/** A number as the form holds it. Amounts stay text until they are sent. */
export type NumberDraft = {
  number: string
  /** For a number in national format. */
  country: string
  area: string
  type: NumberType
  trunk_id: string
  monthly: string
  setup: string
  price: string
  cost_monthly: string
  cost: string
  max_calls: string
  /** Separated by commas. */
  tags: string
  note: string
}

export const BLANK: NumberDraft = {
  number: '',
  country: '',
  area: '',
  type: 'local',
  trunk_id: '',
  monthly: '',
  setup: '0',
  price: '0',
  cost_monthly: '0',
  cost: '0',
  max_calls: '10',
  tags: '',
  note: '',
}

export const draftOf = (number: AdminNumber): NumberDraft => ({
  number: number.number,
  country: '',
  area: number.area,
  type: number.type,
  trunk_id: number.trunk ? String(number.trunk.id) : '',
  monthly: String(number.monthly),
  setup: String(number.setup),
  price: String(number.price),
  cost_monthly: String(number.cost_monthly),
  cost: String(number.cost),
  max_calls: String(number.max_calls),
  tags: number.tags.join(', '),
  note: number.note,
})

const rents = ['monthly', 'setup', 'cost_monthly'] as const
const minutes = ['price', 'cost'] as const

const amountIn = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim()))

const isAmount = (typed: string, max: number): boolean => {
  const amount = amountIn(typed)
  return amount >= 0 && amount <= max && toMicros(amount) !== null
}

export function validateNumber(draft: NumberDraft): FieldErrors<keyof NumberDraft> {
  const errors: FieldErrors<keyof NumberDraft> = {}
  if (draft.number.trim() === '') errors.number = 'Please enter the number.'
  for (const name of rents)
    if (!isAmount(draft[name], RENT_MAX_DOLLARS)) errors[name] = ownMessages.rentInvalid
  for (const name of minutes)
    if (!isAmount(draft[name], PRICE_MAX_DOLLARS)) errors[name] = ownMessages.priceInvalid
  const calls = amountIn(draft.max_calls)
  if (!Number.isInteger(calls) || calls < 1 || calls > NUMBER_CALLS_MAX)
    errors.max_calls = `Please enter a whole number from 1 to ${NUMBER_CALLS_MAX}.`
  return errors
}

const tagsIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

const sent = (draft: NumberDraft) => ({
  area: draft.area.trim(),
  type: draft.type,
  trunk_id: Number(draft.trunk_id) || null,
  monthly: amountIn(draft.monthly),
  setup: amountIn(draft.setup),
  price: amountIn(draft.price),
  cost_monthly: amountIn(draft.cost_monthly),
  cost: amountIn(draft.cost),
  max_calls: amountIn(draft.max_calls),
  tags: tagsIn(draft.tags),
  note: draft.note.trim(),
})

export const newNumber = (draft: NumberDraft) => ({
  number: draft.number,
  country: draft.country || null,
  ...sent(draft),
})

/** Only changed fields; null without a change. */
export function changedIn(base: NumberDraft, draft: NumberDraft): Partial<ReturnType<typeof sent>> | null {
  const before: Record<string, unknown> = sent(base)
  const changed = Object.entries(sent(draft)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed)
}

export const fieldLabels: Readonly<Record<Exclude<keyof NumberDraft, 'number' | 'country'>, string>> = {
  area: 'Area',
  type: 'Type',
  trunk_id: 'Carrier',
  monthly: 'Price per month',
  setup: 'Set-up fee',
  price: 'Price per minute',
  cost_monthly: 'Cost per month',
  cost: 'Cost per minute',
  max_calls: 'Simultaneous calls',
  tags: 'Tags',
  note: 'Note',
}
