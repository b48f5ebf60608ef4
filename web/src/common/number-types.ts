import type { NumberType } from '@trunkline/domain/ringing'

export const numberTypeWords: Readonly<Record<NumberType, string>> = {
  local: 'Local',
  mobile: 'Mobile',
  national: 'National',
  toll_free: 'Toll-free',
}
