/** The parts of the page, in order; each is reached by its anchor. */
export const sections = [
  { id: 'home', name: 'Home' },
  { id: 'features', name: 'Features' },
  { id: 'pricing', name: 'Pricing' },
  { id: 'contact', name: 'Contact' },
] as const

export type SectionId = (typeof sections)[number]['id']

/** One measure for every part, so that all of them stand on the same two edges. */
export const page = 'mx-auto w-full max-w-[78rem] px-5 sm:px-8 min-[112rem]:max-w-[92rem]'
