import { messages, ownMessages } from '@trunkline/contract/messages'
import { parseAmount } from '@trunkline/domain/money'

/** What is chosen on the Top Up page: one of the presets, or what was typed; never both. */
export type Choice = { readonly preset: number | null; readonly typed: string }

export const nothingChosen: Choice = { preset: null, typed: '' }

/** A preset is switched on, or off again when it was on. */
export const togglePreset = (choice: Choice, preset: number): Choice => ({
  preset: choice.preset === preset ? null : preset,
  typed: '',
})

export const typeAmount = (typed: string): Choice => ({ preset: null, typed })

/** In dollars. Typed above 0 and at most 10000 in whole cents, otherwise nothing is selected. */
export function chosenAmount({ preset, typed }: Choice): number | null {
  if (preset !== null) return preset
  const amount = Number(typed)
  return typed !== '' && parseAmount(amount).ok ? amount : null
}

/** Why what was typed selects nothing. A zero says nothing yet: it may be the beginning of 0.50. */
export function faultIn({ typed }: Choice): string | null {
  if (typed === '' || Number(typed) === 0) return null
  const parsed = parseAmount(Number(typed))
  if (parsed.ok) return null
  if (parsed.fault === 'too_large') return ownMessages.amountTooLarge
  if (parsed.fault === 'too_many_decimals') return ownMessages.wholeCents
  return messages.selectAmount
}
