import { formatExact } from '../money/index.ts'
import type { PrefixRate } from '../rating/index.ts'
import { writeCsv } from './csv.ts'

const dollars = (amount: PrefixRate['priceMicros']): string => formatExact(amount).slice(1)

/** `readDeck` reads the result back as the same rates. */
export const writeDeck = (rates: readonly PrefixRate[]): string =>
  writeCsv([
    ['prefix', 'price', 'connect fee', 'first increment', 'next increment'],
    ...rates.map((rate) => [
      rate.prefix,
      dollars(rate.priceMicros),
      dollars(rate.connectFeeMicros),
      String(rate.firstIncrement),
      String(rate.nextIncrement),
    ]),
  ])
