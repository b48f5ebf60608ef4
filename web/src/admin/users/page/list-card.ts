/** A card with a list: in little space on a wide screen, and on one as low as at 200 % zoom. */
export const listCard =
  'lg:px-4! lg:pt-2! lg:pb-2! lg:[&>header]:mb-0 short:max-lg:px-3! short:max-lg:py-1! short:max-lg:[&>header]:mb-0'
