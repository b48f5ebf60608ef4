import { type Billing, billingTerms } from '../../common/prices.ts'

export const termsOf = (rate: Billing): string => billingTerms(rate) ?? 'billed by the second'
