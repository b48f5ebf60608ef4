import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { Trunk, TrunkFigures } from '@trunkline/contract/trunks'
import { type Caller, everyonesData, ownDataOf, requireAdmin } from '@trunkline/domain/access'
import { microsOf } from '../../../platform/amounts.ts'
import { type Clock, DAY, earlier, startOfDay } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { sipDigest } from '../../../platform/tokens.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findPlansForUse } from '../plans/store.ts'
import { listAllRates, replaceRates } from '../prefix-rates/store.ts'
import { prefixRateOf, viewPrefixRate, type WirePrefixRate } from '../prefix-rates/wire.ts'
import { demotionSubject } from '../routing-rules/view.ts'
import { sumByTrunk } from './figures-store.ts'
import {
  carriesEmergencyCalls,
  clearPrimary,
  deleteRoutingStates,
  deleteTrunk,
  findTrunk,
  insertTrunk,
  listTrunks,
  lockPrimaries,
  lockTrunk,
  lockTrunkOrder,
  replaceTrunkPlans,
  saveIncomingDigest,
  type TrunkRow,
  updateTrunk,
} from './store.ts'
import { carrierName, viewServed, viewTrunk, viewTrunkForAdmin } from './view.ts'

export type Trunks = ReturnType<typeof createTrunks>

type Fields = Pick<
  TrunkRow,
  | 'name'
  | 'provider'
  | 'type'
  | 'country'
  | 'host'
  | 'port'
  | 'transport'
  | 'auth_username'
  | 'auth_password'
  | 'strip_digits'
  | 'add_prefix'
  | 'capacity'
  | 'status'
  | 'buy_first_increment'
  | 'buy_next_increment'
  | 'priority'
  | 'incoming_sources'
  | 'incoming_country'
  | 'incoming_prefix'
  | 'registers'
>
type NewTrunk = Fields & {
  buy_rate: number
  buy_connect_fee: number
  plans?: string[] | undefined
  incoming_password: string | null
}
type TrunkEdit = { [Field in keyof NewTrunk]?: NewTrunk[Field] | undefined } & {
  version?: number | undefined
}
/** Gap between priorities, for manual changes. */
const PRIORITY_STEP = 10
const PRIORITY_MAX = 10_000

export function createTrunks(
  db: Database,
  clock: Clock,
  audit: Audit,
  alerts: Pick<Alerts, 'closeWithin'>,
  realm: string,
) {
  /** The password of a carrier is stored as HA1, which contains the id of the trunk. */
  const digestOf = (id: number, password: string | null) =>
    password === null
      ? { incoming_realm: null, incoming_ha1: null }
      : { incoming_realm: realm, incoming_ha1: sipDigest('md5', carrierName(id), realm, password) }

  async function take(tx: Database, caller: Caller, id: number): Promise<TrunkRow> {
    requireAdmin(caller)
    return requireFound(await lockTrunk(tx, id, clock.now()))
  }

  async function show(handle: Database, caller: Caller, id: number): Promise<Trunk> {
    requireAdmin(caller)
    return viewTrunkForAdmin(requireFound(await findTrunk(handle, id, clock.now())))
  }

  async function servePlans(tx: Database, caller: Caller, id: number, names: string[]): Promise<void> {
    requireAdmin(caller)
    const plans = await findPlansForUse(tx, names)
    const known = new Set(plans.map(({ name }) => name.toLowerCase()))
    const faults = names.flatMap((name, at) =>
      known.has(name.toLowerCase()) ? [] : [{ field: `plans.${at}`, message: ownMessages.planUnknown }],
    )
    if (faults.length > 0) throw new Refusal('invalid_input', ownMessages.planUnknown, faults)
    await replaceTrunkPlans(
      tx,
      id,
      plans.map((plan) => plan.id),
    )
  }

  /** Changes a trunk and writes the audit entry. */
  const change = (
    caller: Caller,
    id: number,
    action: string,
    make: (tx: Database, row: TrunkRow) => Promise<void>,
    begin: (tx: Database) => Promise<void> = async () => {},
  ): Promise<Trunk> =>
    db.transaction().execute(async (tx) => {
      await begin(tx)
      const row = await take(tx, caller, id)
      await make(tx, row)
      const trunk = await show(tx, caller, id)
      await audit.write(tx, caller, {
        ...auditEntry(action, id),
        before: auditValuesOf(viewTrunkForAdmin(row)),
        after: auditValuesOf(trunk),
      })
      return trunk
    })

  /** The causes of these alerts end with the trunk. */
  async function closeAlerts(tx: Database, id: number): Promise<void> {
    await alerts.closeWithin(tx, { kind: 'trunk_down', subjects: [`trunk:${id}`] })
    await alerts.closeWithin(tx, { kind: 'trunk_unregistered', subjects: [`trunk:${id}`] })
    const subjects = (await deleteRoutingStates(tx, id)).map((ruleId) => demotionSubject(id, ruleId))
    if (subjects.length > 0) await alerts.closeWithin(tx, { kind: 'trunk_demoted', subjects })
  }

  return {
    async list(caller: Caller): Promise<Trunk[]> {
      const rows = await listTrunks(
        db,
        caller.isAdmin ? everyonesData(caller) : ownDataOf(caller),
        clock.now(),
      )
      return rows.map(caller.isAdmin ? viewTrunkForAdmin : viewTrunk)
    },

    create: (
      caller: Caller,
      { buy_rate, buy_connect_fee, plans = [], incoming_password, ...fields }: NewTrunk,
    ): Promise<Trunk> =>
      db.transaction().execute(async (tx) => {
        requireCredentialsToRegister(fields)
        const now = clock.now()
        const id = await insertTrunk(tx, {
          ...fields,
          buy_rate_micros: microsOf(buy_rate),
          buy_connect_fee_micros: microsOf(buy_connect_fee),
          created_at: now,
          updated_at: now,
        })
        if (incoming_password !== null) await saveIncomingDigest(tx, id, digestOf(id, incoming_password))
        await servePlans(tx, caller, id, plans)
        const trunk = await show(tx, caller, id)
        await audit.write(tx, caller, {
          ...auditEntry('trunk.create', id),
          before: null,
          after: auditValuesOf(trunk),
        })
        return trunk
      }),

    update: (caller: Caller, id: number, edit: TrunkEdit): Promise<Trunk> =>
      change(caller, id, 'trunk.update', async (tx, row) => {
        const { version, buy_rate, buy_connect_fee, plans, incoming_password, ...fields } = edit
        requireUnchanged(row.version, version)
        requireCredentialsToRegister({
          registers: fields.registers ?? row.registers,
          auth_username: fields.auth_username === undefined ? row.auth_username : fields.auth_username,
          auth_password: fields.auth_password === undefined ? row.auth_password : fields.auth_password,
        })
        const isMoving = fields.country !== undefined && fields.country !== row.country
        await updateTrunk(tx, id, {
          ...fields,
          ...(buy_rate !== undefined && { buy_rate_micros: microsOf(buy_rate) }),
          ...(buy_connect_fee !== undefined && { buy_connect_fee_micros: microsOf(buy_connect_fee) }),
          ...(incoming_password !== undefined && digestOf(id, incoming_password)),
          // A primary trunk loses this flag when it moves to another country.
          ...(isMoving && { is_primary: false }),
          updated_at: clock.now(),
        })
        if (plans) await servePlans(tx, caller, id, plans)
      }),

    /** Replaces the primary trunk of the country in one transaction. */
    makePrimary: (caller: Caller, id: number): Promise<Trunk> => {
      requireAdmin(caller)
      return change(
        caller,
        id,
        'trunk.primary',
        async (tx, { country }) => {
          await clearPrimary(tx, country, clock.now())
          await updateTrunk(tx, id, { is_primary: true, updated_at: clock.now() })
        },
        (tx) => lockPrimaries(tx),
      )
    },

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        if (row.used > 0) throw new Refusal('trunk_in_call')
        if (await carriesEmergencyCalls(tx, id)) throw new Refusal('trunk_for_emergencies')
        await closeAlerts(tx, id)
        await deleteTrunk(tx, id)
        const before = auditValuesOf(viewTrunkForAdmin(row))
        await audit.write(tx, caller, { ...auditEntry('trunk.delete', id), before, after: null })
      }),

    /** Reorders the given trunks among their positions. Others keep theirs. */
    putInOrder: (caller: Caller, wanted: readonly { id: number; version: number }[]): Promise<void> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const before = await lockTrunkOrder(tx)
        const after = reordered(before, wanted)
        const step = Math.max(1, Math.min(PRIORITY_STEP, Math.floor(PRIORITY_MAX / after.length)))
        for (const [at, { id, priority }] of after.entries()) {
          const next = Math.min(PRIORITY_MAX, (at + 1) * step)
          if (next !== priority) await updateTrunk(tx, id, { priority: next, updated_at: clock.now() })
        }
        const names = (trunks: readonly { name: string }[]) => ({ order: trunks.map(({ name }) => name) })
        await audit.write(tx, caller, {
          action: 'trunk.order',
          subject: 'trunks',
          before: names(before),
          after: names(after),
        })
      }),

    async figures(caller: Caller): Promise<TrunkFigures[]> {
      requireAdmin(caller)
      const today = startOfDay(clock.now())
      const [day, week] = await Promise.all([sumByTrunk(db, today), sumByTrunk(db, earlier(today, 6 * DAY))])
      const ofToday = new Map(day.map((one) => [one.trunkId, one]))
      return week.map((one) => ({
        trunk_id: one.trunkId,
        today: viewServed(ofToday.get(one.trunkId)),
        week: viewServed(one),
      }))
    },

    async replaceRates(
      caller: Caller,
      id: number,
      rates: readonly WirePrefixRate[],
    ): Promise<WirePrefixRate[]> {
      await change(caller, id, 'trunk.rates', async (tx) => {
        requireAdmin(caller)
        await replaceRates(tx, 'trunk', id, rates.map(prefixRateOf))
        await updateTrunk(tx, id, { updated_at: clock.now() })
      })
      return (await listAllRates(db, 'trunk', id)).map(viewPrefixRate)
    },
  }
}

function requireCredentialsToRegister({
  registers,
  auth_username,
  auth_password,
}: Pick<TrunkRow, 'registers' | 'auth_username' | 'auth_password'>): void {
  if (!registers || (auth_username !== null && auth_password !== null)) return
  const message = ownMessages.registersWithoutPassword
  throw new Refusal('invalid_input', message, [{ field: 'registers', message }])
}

type Placed = { id: number; name: string; priority: number; version: number }

/** The complete order, with the given trunks rearranged among their positions. */
function reordered(all: readonly Placed[], wanted: readonly { id: number; version: number }[]): Placed[] {
  const byId = new Map(all.map((trunk) => [trunk.id, trunk]))
  const queue = wanted.map(({ id, version }) => {
    const trunk = requireFound(byId.get(id))
    requireUnchanged(trunk.version, version)
    return trunk
  })
  const isWanted = new Set(wanted.map(({ id }) => id))
  return all.map((trunk) => (isWanted.has(trunk.id) ? (queue.shift() ?? trunk) : trunk))
}

const auditEntry = (action: string, id: number) => ({ action, subject: `trunk ${id}` })

/** Values for the audit log, without usage, health and registrations. */
function auditValuesOf({ configured_status: status, ...trunk }: Trunk) {
  const {
    id: _id,
    used: _used,
    premium: _premium,
    country: _country,
    health: _health,
    registrations: _registrations,
    ...values
  } = trunk
  return { ...values, status }
}
