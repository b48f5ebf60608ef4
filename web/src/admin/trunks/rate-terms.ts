import { billingTerms } from '../../common/prices.ts'
import type { ListedRate } from './queries.ts'

export const termsOf = ({
  connect_fee = 0,
  first_increment = 1,
  next_increment = 1,
}: Partial<ListedRate>): string =>
  billingTerms({ connect_fee, first_increment, next_increment }) ?? 'billed by the second'
