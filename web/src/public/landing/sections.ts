/** The sections of the page, in order. The ids are anchors. */
export const sections = [
  { id: 'home', name: 'Home' },
  { id: 'features', name: 'Features' },
  { id: 'pricing', name: 'Pricing' },
  { id: 'contact', name: 'Contact' },
] as const

export type SectionId = (typeof sections)[number]['id']

/** The shared width of all sections. */
export const page = 'mx-auto w-full max-w-[78rem] px-5 sm:px-8 min-[112rem]:max-w-[92rem]'
