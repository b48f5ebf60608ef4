/** The most legs before a leg. A longer chain of forwards is a loop. */
export const MAX_HOPS = 4
