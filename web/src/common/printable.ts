/** The fonts built into every PDF reader know Latin letters only; a sign they lack is shown as one that is missing. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
