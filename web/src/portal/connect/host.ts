/** `dynamic`: phones register. Anything else is where calls come from, and needs no registration. */
export const isAddress = (host: string | undefined): boolean =>
  host !== undefined && host !== '' && host !== 'dynamic'
