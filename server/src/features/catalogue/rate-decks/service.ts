import { deckProblems } from '@trunkline/contract/deck-words'
import { Refusal } from '@trunkline/contract/errors'
import {
  BUY_DECK_MAX,
  INCREMENT_MAX_SECONDS,
  PRICE_MAX_DOLLARS,
  ROUTE_DECK_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { DeckCheck, DeckCounts, ListedDeck } from '@trunkline/contract/rate-decks'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { type Deck, readDeckInSteps, writeDeck } from '@trunkline/domain/decks'
import { dollars } from '@trunkline/domain/money'
import type { PrefixRate } from '@trunkline/domain/rating'
import { type Clock, DAY } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { runYielding } from '../../../platform/event-loop.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { fingerprint } from '../../../platform/tokens.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  changeRates,
  listAllRates,
  listRatesPage,
  type RatesPage,
  type Shelf,
} from '../prefix-rates/store.ts'
import { codeOf } from '../routes/dearer-trunks.ts'
import { findRoute, lockRoute, updateRoute } from '../routes/store.ts'
import { findTrunk, lockTrunk, updateTrunk } from '../trunks/store.ts'
import { changesOf, countsOf, type DeckRates, MAX_SHOWN, type Mode, viewChanges } from './changes.ts'
import {
  countPlanned,
  insertDeck,
  insertPlannedRates,
  type ListedDeckRow,
  listDecks,
  lockDeck,
  markApplied,
  markCanceled,
  takeDueDeck,
  takePlannedRates,
} from './deck-store.ts'
import { lossesWith } from './losses.ts'

type Deps = { db: Database; clock: Clock; audit: Audit; jobs: Pick<Jobs, 'send'> }

export const applyRateDecks = defineJob<Record<string, never>>('apply-rate-decks')

export type RateDecks = ReturnType<typeof createRateDecks>

type ListChange = { shelf: Shelf; id: number; deck: DeckRates; present: readonly PrefixRate[] }
type GivenDeck = { deck: string; mode: Mode; effective_at?: string | undefined }

const MAX_PLANNED = 20
const MAX_AHEAD = 366 * DAY
/** Decks in the history of a list. */
const LISTED = 50

/** Imports price lists: preview, then apply exactly the previewed changes, now or at a later time. */
export function createRateDecks({ db, clock, audit, jobs }: Deps) {
  /** The trunk or route of the price list. For a route, with its calling code. */
  async function ownerOfList(tx: Database, shelf: Shelf, id: number, isLocked = false) {
    const found =
      shelf === 'trunk'
        ? await (isLocked ? lockTrunk : findTrunk)(tx, id, clock.now())
        : await (isLocked ? lockRoute : findRoute)(tx, id)
    if (!found) throw new Refusal('not_found')
    return { code: shelf === 'route' && found.country !== null ? codeOf({ country: found.country }) : '' }
  }

  /** Null if the rates change now. */
  function effectiveAtOf({ effective_at }: GivenDeck): Date | null {
    if (effective_at === undefined) return null
    const at = new Date(effective_at)
    const ahead = at.getTime() - clock.now().getTime()
    if (ahead > 0 && ahead <= MAX_AHEAD) return at
    const fault = { field: 'effective_at', message: ownMessages.effectiveAtInvalid }
    throw new Refusal('invalid_input', fault.message, [fault])
  }

  /** Lines of the file may name this day or an earlier one. A planned time begins with the day where the operator is. */
  const dayOf = (given: GivenDeck): string => (given.effective_at ?? clock.now().toISOString()).slice(0, 10)

  async function readGiven(shelf: Shelf, code: string, given: GivenDeck): Promise<Deck> {
    const deck = await runYielding(
      readDeckInSteps(given.deck, {
        maxLines: BUY_DECK_MAX,
        maxRates: shelf === 'route' ? ROUTE_DECK_MAX : BUY_DECK_MAX,
        maxPriceMicros: dollars(PRICE_MAX_DOLLARS),
        maxIncrement: INCREMENT_MAX_SECONDS,
        today: dayOf(given),
        ...(code !== '' && { isRelevant: (prefix: string) => prefix.startsWith(code) }),
      }),
    )
    if (typeof deck === 'string') throw new Refusal('deck_unreadable', deckProblems[deck])
    return deck
  }

  /** Two hashes: of the file with its time, and of the present rates. */
  const tokenOf = (given: GivenDeck, present: readonly PrefixRate[]) => ({
    file: fingerprint(`${given.mode} ${given.effective_at ?? dayOf(given)} ${given.deck}`),
    rates: fingerprint(
      present
        .map(
          (rate) =>
            `${rate.prefix} ${rate.priceMicros} ${rate.connectFeeMicros} ${rate.firstIncrement} ${rate.nextIncrement}`,
        )
        .join('\n'),
    ),
  })

  /** Changes the rates of a locked list. */
  async function changeList(
    tx: Database,
    caller: Caller,
    { shelf, id, deck, present, badLines }: ListChange & { badLines: number },
  ) {
    const changes = changesOf(deck, present)
    await changeRates(tx, shelf, id, {
      gone: changes.filter(({ after }) => !after).map(({ prefix }) => prefix),
      set: changes.flatMap(({ kind, after }) => (after && kind !== 'unchanged' ? after : [])),
    })
    const update = shelf === 'trunk' ? updateTrunk : updateRoute
    await update(tx, id, { updated_at: clock.now() })
    const counts = countsOf(changes)
    const rate_count = changes.length - counts.removed
    await audit.write(tx, caller, {
      ...auditEntry(`${shelf}.rates`, shelf, id),
      before: { rate_count: present.length },
      after: { rate_count, mode: deck.mode, ...counts, bad_lines_left_out: badLines },
    })
    return { counts, rate_count }
  }

  /** Saves the deck until its time. */
  async function plan(
    tx: Database,
    caller: Caller,
    { shelf, id, deck, present, at }: ListChange & { at: Date },
  ) {
    if ((await countPlanned(tx, shelf, id)) >= MAX_PLANNED)
      throw new Refusal('invalid_input', ownMessages.decksTooMany)
    const changes = changesOf(deck, present)
    const counts = countsOf(changes)
    const deckId = await insertDeck(tx, {
      ...deckColumns(caller, shelf, id, deck, counts),
      effective_at: at,
      applied_at: null,
    })
    await insertPlannedRates(tx, deckId, deck.lines)
    await audit.write(tx, caller, {
      ...auditEntry(`${shelf}.rates_planned`, shelf, id),
      before: null,
      after: { effective_at: at.toISOString(), lines: deck.lines.length, mode: deck.mode, ...counts },
    })
    return { counts, rate_count: changes.length - counts.removed }
  }

  const deckColumns = (
    caller: Caller,
    shelf: Shelf,
    listId: number,
    deck: DeckRates,
    counts: DeckCounts,
  ) => ({
    shelf,
    listId,
    mode: deck.mode,
    line_count: deck.lines.length,
    untouched: [...deck.untouched],
    counts,
    created_by: caller.userId,
    created_at: clock.now(),
  })

  /** Applies the earliest due deck. False if there is none. */
  const applyNext = (): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const row = await takeDueDeck(tx, clock.now())
      if (!row) return false
      const [shelf, id] =
        row.trunk_id === null ? (['route', row.route_id ?? 0] as const) : (['trunk', row.trunk_id] as const)
      const { code } = await ownerOfList(tx, shelf, id, true)
      const planned = await takePlannedRates(tx, row.id)
      const lines = planned.filter(({ prefix }) => prefix.startsWith(code))
      // A deck was planned for one country. If the route has moved since, the deck must not replace the rates of the new country.
      const mode = lines.length < planned.length ? 'merge' : row.mode
      const deck = { mode, lines, untouched: row.untouched }
      // In the name of the administrator who planned it.
      const planner = { userId: row.created_by, isAdmin: true }
      const present = await listAllRates(tx, shelf, id)
      const { counts } = await changeList(tx, planner, {
        shelf,
        id,
        deck,
        present,
        badLines: row.untouched.length,
      })
      await markApplied(tx, row.id, counts, clock.now())
      return true
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
      effectiveAtOf(given)
      const { code } = await ownerOfList(db, shelf, id)
      const deck = await readGiven(shelf, code, given)
      const present = await listAllRates(db, shelf, id)
      const changes = changesOf(ratesOf(given.mode, deck), present)
      const { file, rates } = tokenOf(given, present)
      return {
        token: `${file}.${rates}`,
        counts: countsOf(changes),
        changes: viewChanges(changes, given.search),
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
        future_day: deck.faults
          .flatMap(({ reason, value }) => (reason === 'not_yet' ? value : []))
          .reduce<string | null>((latest, day) => (latest === null || day > latest ? day : latest), null),
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
      const read = await readGiven(shelf, code, given)
      const at = effectiveAtOf(given)
      const answer = await db.transaction().execute(async (tx) => {
        await ownerOfList(tx, shelf, id, true)
        const present = await listAllRates(tx, shelf, id)
        const { file, rates } = tokenOf(given, present)
        const [checkedFile, checkedRates] = given.token.split('.')
        if (checkedFile !== file) throw new Refusal('changed_meanwhile', ownMessages.deckOther)
        if (checkedRates !== rates) throw new Refusal('changed_meanwhile', ownMessages.deckRatesChanged)
        if (read.faults.length > 0 && !given.without_bad_lines) throw new Refusal('deck_has_faults')

        const deck = ratesOf(given.mode, read)
        if (at)
          return {
            ...(await plan(tx, caller, { shelf, id, deck, present, at })),
            effective_at: at.toISOString(),
          }
        const done = await changeList(tx, caller, { shelf, id, deck, present, badLines: read.faults.length })
        const now = clock.now()
        const columns = deckColumns(caller, shelf, id, deck, done.counts)
        await insertDeck(tx, { ...columns, effective_at: now, applied_at: now })
        return { ...done, effective_at: null }
      })
      // A job every minute applies decks whose own job was lost.
      if (at) await jobs.send(applyRateDecks, {}, at)
      return answer
    },

    async list(caller: Caller, shelf: Shelf, id: number): Promise<ListedDeck[]> {
      await ownerOfList(db, shelf, id)
      return (await listDecks(db, everyonesData(caller), shelf, id, LISTED)).map(viewDeck)
    },

    cancel: (caller: Caller, deckId: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const row = requireFound(await lockDeck(tx, deckId))
        if (row.applied_at || row.canceled_at) throw new Refusal('deck_not_planned')
        await markCanceled(tx, deckId, clock.now())
        const shelf = row.trunk_id === null ? 'route' : 'trunk'
        await audit.write(tx, caller, {
          ...auditEntry(`${shelf}.rates_canceled`, shelf, row.trunk_id ?? row.route_id ?? 0),
          before: { effective_at: row.effective_at.toISOString(), lines: row.line_count },
          after: null,
        })
      }),

    /** Applies all decks whose time has come, in order. */
    async applyDue(): Promise<void> {
      for (let isMore = true; isMore; ) isMore = await applyNext()
    },
  }
}

const ratesOf = (mode: Mode, { lines, faults }: Deck): DeckRates => ({
  mode,
  lines,
  untouched: [...new Set(faults.flatMap(({ prefix }) => prefix ?? []))],
})

const auditEntry = (action: string, shelf: Shelf, id: number) => ({ action, subject: `${shelf} ${id}` })

const viewDeck = (row: ListedDeckRow): ListedDeck => ({
  id: row.id,
  state: row.applied_at ? 'applied' : row.canceled_at ? 'canceled' : 'planned',
  mode: row.mode,
  effective_at: row.effective_at.toISOString(),
  line_count: row.line_count,
  counts: row.counts,
  created_by: { id: row.created_by, username: row.username },
  created_at: row.created_at.toISOString(),
  applied_at: row.applied_at?.toISOString() ?? null,
  canceled_at: row.canceled_at?.toISOString() ?? null,
})
