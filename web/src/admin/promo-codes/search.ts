import { PROMO_CODE_MAX } from '@trunkline/contract/limits'
import { idIn, textIn, withoutGaps } from '../../common/address.ts'

/** Search parameters of the screen. */
export type PromoCodesSearch = Partial<{
  text: string
  /** The page after this code. */
  before: number
  /** The form for a new one. */
  new: 1
  /** The code that is being edited. */
  edit: number
  /** The code whose uses are open. */
  uses: number
}>

export const readSearch = (raw: Record<string, unknown>): PromoCodesSearch =>
  withoutGaps({
    text: textIn(raw.text)?.trim().slice(0, PROMO_CODE_MAX) || undefined,
    before: idIn(raw.before),
    new: textIn(raw.new) === '1' ? (1 as const) : undefined,
    edit: idIn(raw.edit),
    uses: idIn(raw.uses),
  })
