import { messages, ownMessages } from '@trunkline/contract/messages'
import { parseAmount } from '@trunkline/domain/money'

/** The selected preset or the typed amount, never both. */
export type Choice = { readonly preset: number | null; readonly typed: string }

export const nothingChosen: Choice = { preset: null, typed: '' }

export const togglePreset = (choice: Choice, preset: number): Choice => ({
  preset: choice.preset === preset ? null : preset,
  typed: '',
})

export const typeAmount = (typed: string): Choice => ({ preset: null, typed })

/** In dollars. An invalid typed amount selects nothing. */
export function chosenAmount({ preset, typed }: Choice): number | null {
  if (preset !== null) return preset
  const amount = Number(typed)
  return typed !== '' && parseAmount(amount).ok ? amount : null
}

/** The error of the typed amount. Zero is no error, because it may become 0.50. */
export function faultIn({ typed }: Choice): string | null {
  if (typed === '' || Number(typed) === 0) return null
  const parsed = parseAmount(Number(typed))
  if (parsed.ok) return null
  if (parsed.fault === 'too_large') return ownMessages.amountTooLarge
  if (parsed.fault === 'too_many_decimals') return ownMessages.wholeCents
  return messages.selectAmount
}
