import { deckProblems } from '@trunkline/contract/deck-words'
import { Refusal } from '@trunkline/contract/errors'
import {
  BUY_DECK_MAX,
  INCREMENT_MAX_SECONDS,
  PRICE_MAX_DOLLARS,
  ROUTE_DECK_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { DeckCheck } from '@trunkline/contract/rate-decks'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import {
  type ChangeKind,
  changeKinds,
  compareDeck,
  type Deck,
  type RateChange,
  readDeckInSteps,
  writeDeck,
} from '@trunkline/domain/decks'
import { dollars } from '@trunkline/domain/money'
import type { PrefixRate } from '@trunkline/domain/rating'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { runYielding } from '../../../platform/event-loop.ts'
import { pageOf } from '../../../platform/pages.ts'
import { fingerprint } from '../../../platform/tokens.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  changeRates,
  listAllRates,
  listRatesPage,
  type RatesPage,
  type Shelf,
} from '../prefix-rates/store.ts'
import { viewPrefixRate } from '../prefix-rates/wire.ts'
import { codeOf } from '../routes/dearer-trunks.ts'
import { findRoute, lockRoute, updateRoute } from '../routes/store.ts'
import { findTrunk, lockTrunk, updateTrunk } from '../trunks/store.ts'
import { lossesWith } from './losses.ts'

export type RateDecks = ReturnType<typeof createRateDecks>

type GivenDeck = { deck: string; mode: 'replace' | 'merge' }

/** Limit per kind of change, and for invalid lines. */
const MAX_SHOWN = 500

/** Imports price lists: preview, then apply exactly the previewed changes. */
export function createRateDecks(db: Database, clock: Clock, audit: Audit) {
  const today = (): string => clock.now().toISOString().slice(0, 10)

  /** The trunk or route of the price list. For a route, with its calling code. */
  async function ownerOfList(tx: Database, shelf: Shelf, id: number, isLocked = false) {
    const found =
      shelf === 'trunk'
        ? await (isLocked ? lockTrunk : findTrunk)(tx, id, clock.now())
        : await (isLocked ? lockRoute : findRoute)(tx, id)
    if (!found) throw new Refusal('not_found')
    return { code: shelf === 'route' && found.country !== null ? codeOf({ country: found.country }) : '' }
  }

  async function readGiven(shelf: Shelf, code: string, text: string): Promise<Deck> {
    const deck = await runYielding(
      readDeckInSteps(text, {
        maxLines: BUY_DECK_MAX,
        maxRates: shelf === 'route' ? ROUTE_DECK_MAX : BUY_DECK_MAX,
        maxPriceMicros: dollars(PRICE_MAX_DOLLARS),
        maxIncrement: INCREMENT_MAX_SECONDS,
        today: today(),
        ...(code !== '' && { isRelevant: (prefix: string) => prefix.startsWith(code) }),
      }),
    )
    if (typeof deck === 'string') throw new Refusal('deck_unreadable', deckProblems[deck])
    return deck
  }

  /** Two hashes: of the file with the current date, and of the present rates. */
  const tokenOf = ({ deck, mode }: GivenDeck, present: readonly PrefixRate[]) => ({
    file: fingerprint(`${mode} ${today()} ${deck}`),
    rates: fingerprint(
      present
        .map(
          (rate) =>
            `${rate.prefix} ${rate.priceMicros} ${rate.connectFeeMicros} ${rate.firstIncrement} ${rate.nextIncrement}`,
        )
        .join('\n'),
    ),
  })

  return {
    async page(caller: Caller, shelf: Shelf, id: number, query: RatesPage) {
      requireAdmin(caller)
      await ownerOfList(db, shelf, id)
      const { rates, total } = await listRatesPage(db, shelf, id, { ...query, limit: query.limit + 1 })
      const { shown, next } = pageOf(rates, query.limit, ({ prefix }) => prefix)
      return { rates: [...shown], total, next }
    },

    async csv(caller: Caller, shelf: Shelf, id: number): Promise<string> {
      requireAdmin(caller)
      await ownerOfList(db, shelf, id)
      return writeDeck(await listAllRates(db, shelf, id))
    },

    async check(
      caller: Caller,
      shelf: Shelf,
      id: number,
      given: GivenDeck & { search: string },
    ): Promise<DeckCheck> {
      requireAdmin(caller)
      const { code } = await ownerOfList(db, shelf, id)
      const deck = await readGiven(shelf, code, given.deck)
      const present = await listAllRates(db, shelf, id)
      const changes = compared(given.mode, present, deck)
      const { file, rates } = tokenOf(given, present)
      return {
        token: `${file}.${rates}`,
        counts: countsOf(changes),
        changes: shownOf(changes, given.search).map(viewChange),
        faults: deck.faults.slice(0, MAX_SHOWN).map((fault) => ({ ...fault })),
        fault_count: deck.faults.length,
        elsewhere: deck.elsewhere,
        columns: { read: [...deck.read], ignored: [...deck.ignored] },
        losses: await lossesWith(
          db,
          shelf,
          id,
          changes.flatMap(({ after }) => after ?? []),
        ),
      }
    },

    async apply(
      caller: Caller,
      shelf: Shelf,
      id: number,
      given: GivenDeck & { token: string; without_bad_lines: boolean },
    ) {
      requireAdmin(caller)
      const { code } = await ownerOfList(db, shelf, id)
      const deck = await readGiven(shelf, code, given.deck)
      return db.transaction().execute(async (tx) => {
        await ownerOfList(tx, shelf, id, true)
        const present = await listAllRates(tx, shelf, id)
        const { file, rates } = tokenOf(given, present)
        const [checkedFile, checkedRates] = given.token.split('.')
        if (checkedFile !== file) throw new Refusal('changed_meanwhile', ownMessages.deckOther)
        if (checkedRates !== rates) throw new Refusal('changed_meanwhile', ownMessages.deckRatesChanged)
        if (deck.faults.length > 0 && !given.without_bad_lines) throw new Refusal('deck_has_faults')

        const changes = compared(given.mode, present, deck)
        await changeRates(tx, shelf, id, {
          gone: changes.filter(({ after }) => !after).map(({ prefix }) => prefix),
          set: changes.flatMap(({ kind, after }) => (after && kind !== 'unchanged' ? after : [])),
        })
        const update = shelf === 'trunk' ? updateTrunk : updateRoute
        await update(tx, id, { updated_at: clock.now() })
        const counts = countsOf(changes)
        const rate_count = changes.length - counts.removed
        await audit.write(tx, caller, {
          action: `${shelf}.rates`,
          subject: `${shelf} ${id}`,
          userId: null,
          reason: null,
          before: { rate_count: present.length },
          after: { rate_count, mode: given.mode, ...counts, bad_lines_left_out: deck.faults.length },
        })
        return { counts, rate_count }
      })
    },
  }
}

const compared = (mode: GivenDeck['mode'], present: readonly PrefixRate[], deck: Deck): RateChange[] =>
  compareDeck({
    mode,
    present: new Map(present.map((rate) => [rate.prefix, rate])),
    lines: deck.lines,
    untouched: new Set(deck.faults.flatMap(({ prefix }) => prefix ?? [])),
  })

function countsOf(changes: readonly RateChange[]): DeckCheck['counts'] {
  const counts = { new: 0, dearer: 0, cheaper: 0, changed: 0, removed: 0, unchanged: 0 }
  for (const { kind } of changes) counts[kind]++
  return counts
}

const differenceOf = ({ before, after }: RateChange): bigint => {
  const difference = (after?.priceMicros ?? 0n) - (before?.priceMicros ?? 0n)
  return difference < 0n ? -difference : difference
}

/** Price changes by size, others by prefix. */
function shownOf(changes: readonly RateChange[], search: string): RateChange[] {
  const byPrefix = (left: RateChange, right: RateChange) => (left.prefix < right.prefix ? -1 : 1)
  const byDifference = (left: RateChange, right: RateChange) =>
    Number(differenceOf(right) - differenceOf(left)) || byPrefix(left, right)
  const isPriced = (kind: ChangeKind) => kind === 'dearer' || kind === 'cheaper'
  return changeKinds.flatMap((kind) =>
    changes
      .filter((change) => change.kind === kind && change.prefix.startsWith(search))
      .sort(isPriced(kind) ? byDifference : byPrefix)
      .slice(0, MAX_SHOWN),
  )
}

const viewChange = ({ kind, prefix, line, before, after }: RateChange) => ({
  kind,
  prefix,
  line,
  before: before && viewPrefixRate(before),
  after: after && viewPrefixRate(after),
})
