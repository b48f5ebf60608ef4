import { USERNAME_MAX } from '@trunkline/contract/limits'
import { idIn, textIn, withoutGaps } from '../../common/address.ts'
import { readDay, spanOfDays } from '../../common/period.ts'

/** Search parameters of the screen. */
export type AuditSearch = Partial<{
  by: number
  action: string
  user: string
  subject: string
  from: string
  to: string
  /** The page after this entry. */
  before: number
}>
export type Selection = Omit<AuditSearch, 'before'>

/** Ignores values that are not valid. */
export const readSearch = (raw: Record<string, unknown>): AuditSearch =>
  withoutGaps({
    by: idIn(raw.by),
    action: textIn(raw.action)?.slice(0, 60) || undefined,
    user: textIn(raw.user)?.trim().slice(0, USERNAME_MAX) || undefined,
    subject: textIn(raw.subject)?.trim().slice(0, 200) || undefined,
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    before: idIn(raw.before),
  })

export const selectionOf = ({ before: _, ...selection }: AuditSearch): Selection => selection

export const askFor = ({ user, from, to, ...rest }: Selection) => ({
  ...rest,
  ...(user && { username: user }),
  ...spanOfDays({ from, to }),
})
