/** What a promo code gives. Free of zod, so that the browser can show it without loading a validator. */
export const PROMO_TYPES = ['percentage', 'fixed_amount', 'account_credit'] as const
export type PromoType = (typeof PROMO_TYPES)[number]

/** The words of the specification's form. */
export const promoTypeLabels: Readonly<Record<PromoType, string>> = {
  percentage: 'Percentage Discount',
  fixed_amount: 'Fixed Amount',
  account_credit: 'Account Credit',
}
