import type { DeckFault, DeckProblem } from '@trunkline/domain/decks'

/** Error messages of rate decks, for screens and server. No zod import, because the browser loads this file too. */

export const deckProblems: Readonly<Record<DeckProblem, string>> = {
  empty: 'This file has no rates.',
  all_elsewhere: 'No line of this file has a prefix of this country.',
  no_prefix_column:
    'This file has no prefix column. Name a column "Prefix" or "Code", or remove the header and put the prefix first.',
  no_price_column: 'This file has no column with a price in dollars. Name a column "Price" or "Rate".',
  too_many_lines: 'This file has more lines than a price list can have.',
}

export function deckFaultWords({ reason, value }: Pick<DeckFault, 'reason' | 'value'>): string {
  switch (reason) {
    case 'prefix_missing':
      return 'The prefix is missing.'
    case 'prefix_invalid':
      return `“${value}” isn’t a valid prefix. Use 1 to 15 digits that begin with a country code.`
    case 'prefix_repeated':
      return `This prefix is already on line ${value}.`
    case 'price_missing':
      return 'The price is missing.'
    case 'price_invalid':
      return `“${value}” isn’t a price in dollars.`
    case 'price_too_fine':
      return `${value} has more than six decimals.`
    case 'price_too_high':
      return `${value} is more than $1000 per minute.`
    case 'fee_invalid':
      return `“${value}” isn’t a connect fee in dollars.`
    case 'increment_invalid':
      return `“${value}” isn’t a valid increment. Use 1 to 3600 whole seconds, or two values such as 60/6.`
    case 'not_yet':
      return `Takes effect on ${value}. Import it on that date.`
    case 'quote_open':
      return 'This line has an unclosed quote.'
  }
}
