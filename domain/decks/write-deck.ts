import { formatExact } from '../money/index.ts'
import type { PrefixRate } from '../rating/index.ts'
import { writeCsv } from './csv.ts'

const dollars = (amount: PrefixRate['priceMicros']): string => formatExact(amount).slice(1)

/** `readDeck` reads the result back as the same rates. */
export const writeDeck = (rates: readonly PrefixRate[], hasTerms: boolean): string =>
  writeCsv([
    hasTerms ? ['prefix', 'price', 'connect fee', 'first increment', 'next increment'] : ['prefix', 'price'],
    ...rates.map((rate) => [
      rate.prefix,
      dollars(rate.priceMicros),
      ...(hasTerms
        ? [dollars(rate.connectFeeMicros), String(rate.firstIncrement), String(rate.nextIncrement)]
        : []),
    ]),
  ])
