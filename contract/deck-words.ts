import type { DeckFault, DeckProblem } from '@trunkline/domain/decks'

/** What is wrong with a rate deck, in words; free of zod, for screens and server alike. */

export const deckProblems: Readonly<Record<DeckProblem, string>> = {
  empty: 'There are no rates in this file.',
  all_elsewhere: 'No line of this file is about numbers of this country.',
  no_prefix_column:
    'No column of this file is a prefix. Call one "Prefix" or "Code", or leave the header out and put the prefix first.',
  no_price_column: 'No column of this file is a price in dollars. Call one "Price" or "Rate".',
  too_many_lines: 'There are more lines in this file than a price list can have.',
}

export function deckFaultWords({ reason, value }: Pick<DeckFault, 'reason' | 'value'>): string {
  switch (reason) {
    case 'prefix_missing':
      return 'The prefix is missing.'
    case 'prefix_invalid':
      return `“${value}” is no prefix: 1 to 15 digits that begin with a country code.`
    case 'prefix_repeated':
      return `This prefix stands in line ${value} already.`
    case 'price_missing':
      return 'The price is missing.'
    case 'price_invalid':
      return `“${value}” is no price in dollars.`
    case 'price_too_fine':
      return `${value} has more than six decimals.`
    case 'price_too_high':
      return `${value} is more than $1000 per minute.`
    case 'fee_invalid':
      return `“${value}” is no connect fee in dollars.`
    case 'increment_invalid':
      return `“${value}” is no increment: 1 to 3600 whole seconds, or two of them as 60/6.`
    case 'not_yet':
      return `It takes effect on ${value}. Import it on that day.`
    case 'quote_open':
      return 'A quote is opened here and never closed.'
  }
}
