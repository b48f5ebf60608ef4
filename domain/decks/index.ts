export { type ChangeKind, type Comparison, changeKinds, compareDeck, type RateChange } from './compare.ts'
export {
  BadField,
  type CsvRecord,
  isBlank,
  nextNonEmpty,
  readCsv,
  type Separator,
  separatorOf,
  wordsOf,
  writeCsv,
} from './csv.ts'
export {
  type Deck,
  type DeckFault,
  type DeckFaultReason,
  type DeckLine,
  type DeckOptions,
  type DeckProblem,
  deckFaultReasons,
  readDeck,
  readDeckInSteps,
} from './read-deck.ts'
export { parsePrice } from './values.ts'
export { writeDeck } from './write-deck.ts'
