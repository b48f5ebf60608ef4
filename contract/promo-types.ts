/** Types of promo codes. Without zod, so the browser does not load a validator. */
export const PROMO_TYPES = ['percentage', 'fixed_amount', 'account_credit'] as const
export type PromoType = (typeof PROMO_TYPES)[number]

/** Labels from the form in the specification. */
export const promoTypeLabels: Readonly<Record<PromoType, string>> = {
  percentage: 'Percentage Discount',
  fixed_amount: 'Fixed Amount',
  account_credit: 'Account Credit',
}
