/** Words of the inventory and of rentals. */

export const numberTypes = ['local', 'mobile', 'national', 'toll_free'] as const
export type NumberType = (typeof numberTypes)[number]

export const numberStatuses = ['available', 'reserved', 'blocked', 'rented'] as const
export type NumberStatus = (typeof numberStatuses)[number]

/** grace: the renewal could not be paid, the number still rings. suspended: it does not ring. */
export const rentalStates = ['active', 'grace', 'suspended', 'ended'] as const
export type RentalState = (typeof rentalStates)[number]
