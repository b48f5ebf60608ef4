import type { Language } from '@trunkline/domain/flows'

/** Languages in which the system speaks. */
export const languageWords: Record<Language, string> = {
  en: 'English',
  de: 'German',
  es: 'Spanish',
  fr: 'French',
}
