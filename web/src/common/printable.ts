/** The standard PDF fonts contain only Latin-1. Other characters become `?`. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
