const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `$1,234.50` */
export const inDollars = (amount: number): string => format.format(amount)
