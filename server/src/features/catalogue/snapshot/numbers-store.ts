import type { AllUsers } from '@trunkline/domain/access'
import type { InventoryNumber } from '@trunkline/domain/callcontrol'
import { type Micros, micros, ZERO } from '@trunkline/domain/money'
import type { Database } from '../../../platform/database.ts'

/** Service setting: micro-dollars per minute of a call between customers, as text. */
export const INTERNAL_CALL_PRICE = 'internal_call_price'

/** A carrier that sends calls, or at which a switch registers. */
export type Carrier = {
  id: number
  name: string
  isActive: boolean
  /** `address` or `address:port`. */
  sources: readonly string[]
  country: string | null
  prefix: string
  /** HA1 of `carrier~<id>` for a realm. */
  digest: { realm: string; ha1: string } | null
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  /** Credentials for registration. Null if the switch does not register there. */
  registration: { username: string; password: string } | null
}

/** The inventory with running rentals. */
export async function readNumbers(
  db: Database,
  _scope: AllUsers,
  { id, e164 }: { id?: number; e164?: string } = {},
): Promise<InventoryNumber[]> {
  const rows = await db
    .selectFrom('numbers as n')
    .leftJoin('number_rentals as r', (join) =>
      join.onRef('r.number_id', '=', 'n.id').on('r.state', '<>', 'ended'),
    )
    .select(['n.id', 'n.e164', 'n.country', 'n.trunk_id', 'n.status', 'n.max_calls', 'n.cost_micros'])
    .select(['r.user_id', 'r.price_micros', 'r.state', 'r.ring_plan', 'r.records'])
    .$if(id !== undefined, (query) => query.where('n.id', '=', id ?? 0))
    .$if(e164 !== undefined, (query) => query.where('n.e164', '=', e164 ?? ''))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    e164: row.e164,
    country: row.country,
    trunkId: row.trunk_id,
    status: row.status,
    maxCalls: row.max_calls,
    costMicros: micros(row.cost_micros),
    rental:
      row.user_id === null || row.state === null || row.ring_plan === null
        ? null
        : {
            userId: row.user_id,
            priceMicros: micros(row.price_micros ?? 0n),
            state: row.state,
            ringPlan: row.ring_plan,
            records: row.records === true,
          },
  }))
}

export async function readCarriers(db: Database, id?: number): Promise<Carrier[]> {
  const rows = await db
    .selectFrom('trunks')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.status === 'active',
    sources: row.incoming_sources,
    country: row.incoming_country,
    prefix: row.incoming_prefix,
    digest:
      row.incoming_realm === null || row.incoming_ha1 === null
        ? null
        : { realm: row.incoming_realm, ha1: row.incoming_ha1 },
    host: row.host,
    port: row.port,
    transport: row.transport,
    registration:
      row.registers && row.auth_username !== null && row.auth_password !== null
        ? { username: row.auth_username, password: row.auth_password }
        : null,
  }))
}

export async function readInternalPrice(db: Database): Promise<Micros> {
  const row = await db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', INTERNAL_CALL_PRICE)
    .executeTakeFirst()
  return row && /^\d{1,15}$/.test(row.value) ? micros(BigInt(row.value)) : ZERO
}
