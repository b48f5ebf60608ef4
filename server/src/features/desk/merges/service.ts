import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ADDRESSES_MAX, USER_TAGS_MAX } from '@trunkline/contract/limits'
import type { MergeObstacle, MergePreview } from '@trunkline/contract/merges'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { type Micros, micros, negate, toWireNumber, ZERO } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { Sessions } from '../../identity/sessions/service.ts'
import type { SipAccess } from '../../identity/sip-access/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import type { Balances } from '../../money/balances/service.ts'
import { lockUsers, type UserRow } from '../admin-users/store.ts'
import { tagsOf } from '../admin-users/tags-store.ts'
import {
  findMerge,
  findMovingAddresses,
  insertMerge,
  lockAccounts,
  lockNumbers,
  type MergeFacts,
  markMerged,
  moveBelongings,
  readMergeFacts,
} from './store.ts'

export type Merges = ReturnType<typeof createMerges>

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  balances: Balances
  sessions: Sessions
  sipAccess: SipAccess
}

type Parties = { from: MergedUser; into: MergedUser }
type MergedUser = Pick<UserRow, 'id' | 'username' | 'is_admin' | 'disabled_at' | 'merged_into'>
type Request = { into: number; confirm: string; balance: number; request_key: string }

/**
 * Merges the account of a duplicate into another customer. Locks users before accounts, like every change by an administrator. The
 * account keeps its call records, payments and postings.
 */
export function createMerges({ db, clock, audit, balances, sessions, sipAccess }: Deps) {
  async function read(
    handle: Database,
    caller: Caller,
    { from, into }: Parties,
  ): Promise<{ preview: MergePreview; facts: MergeFacts }> {
    const scope = everyonesData(caller)
    const ids = { fromId: from.id, intoId: into.id }
    const facts = await readMergeFacts(handle, scope, ids)
    const kept = await tagsOf(handle, scope, into.id)
    const added = (await tagsOf(handle, scope, from.id)).filter((tag) => !kept.includes(tag))
    return {
      facts,
      preview: {
        from: { id: from.id, username: from.username, balance: toWireNumber(micros(facts.balance_micros)) },
        into: {
          id: into.id,
          username: into.username,
          balance: toWireNumber(micros(facts.into_balance_micros)),
        },
        obstacles: obstaclesOf({ from, into }, facts, caller.userId),
        notes: facts.notes,
        tickets: facts.tickets,
        numbers: facts.numbers,
        flows: facts.flows,
        sounds: facts.sounds,
        voicemails: facts.voicemails,
        tags: added.slice(0, Math.max(0, USER_TAGS_MAX - kept.length)),
        addresses: await findMovingAddresses(handle, scope, ids, ADDRESSES_MAX),
        sessions: facts.sessions,
        call_days: facts.call_days,
      },
    }
  }

  /** Two adjustments that sum to zero, so that the books stay balanced. */
  async function moveBalance(
    tx: Database,
    caller: Caller,
    { from, into }: Parties,
    amount: Micros,
    key: string,
  ): Promise<void> {
    if (amount === ZERO) return
    const sides = [
      {
        user_id: from.id,
        signed: negate(amount),
        reason: `Merged into ${into.username}`,
        request_key: `${key}-from`,
      },
      {
        user_id: into.id,
        signed: amount,
        reason: `Merged from ${from.username}`,
        request_key: `${key}-into`,
      },
    ]
    for (const side of sides) await balances.adjustWithin(tx, caller, side)
  }

  return {
    async preview(caller: Caller, id: number, intoId: number): Promise<MergePreview> {
      const scope = everyonesData(caller)
      const [from, into] = [await findUserById(db, scope, id), await findUserById(db, scope, intoId)]
      if (!from || !into) throw new Refusal('not_found')
      return (await read(db, caller, { from, into })).preview
    },

    merge: (
      caller: Caller,
      id: number,
      request: Request,
    ): Promise<AnswerOf<'POST /api/admin/users/:id/merge'>> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const rows = await lockUsers(tx, scope, [caller.userId, id, request.into])
        const self = rows.get(caller.userId)
        if (!self?.is_admin || self.disabled_at !== null) throw new Refusal('admin_only')
        const [from, into] = [rows.get(id), rows.get(request.into)]
        if (!from || !into) throw new Refusal('not_found')
        const repeat = await findMerge(tx, scope, request.request_key)
        if (repeat) {
          if (repeat.from_id !== from.id || repeat.into_id !== into.id) throw new Refusal('key_conflict')
          return done(from, into, micros(repeat.moved_micros))
        }
        if (request.confirm !== from.username)
          throw new Refusal('invalid_input', ownMessages.mergeConfirm, [
            { field: 'confirm', message: ownMessages.mergeConfirm },
          ])
        await lockNumbers(tx, scope, from.id)
        await lockAccounts(tx, scope, [from.id, into.id])
        const { preview, facts } = await read(tx, caller, { from, into })
        if (preview.obstacles.length > 0) throw new Refusal('merge_refused')
        if (preview.from.balance !== request.balance)
          throw new Refusal('changed_meanwhile', ownMessages.balanceMoved)

        const moved = micros(facts.balance_micros)
        await moveBalance(tx, caller, { from, into }, moved, request.request_key)
        await moveBelongings(tx, scope, {
          fromId: from.id,
          intoId: into.id,
          tags: preview.tags,
          addresses: preview.addresses,
        })
        await sessions.signOutEverywhere(tx, from.id)
        await sipAccess.end(tx, from.id)
        await markMerged(tx, scope, { fromId: from.id, intoId: into.id }, clock.now())
        await insertMerge(
          tx,
          scope,
          {
            fromId: from.id,
            intoId: into.id,
            movedMicros: moved,
            requestKey: request.request_key,
            by: caller.userId,
          },
          clock.now(),
        )
        const { notes, tickets, numbers, flows, sounds, voicemails, tags, addresses } = preview
        const things = { notes, tickets, numbers, flows, sounds, voicemails, tags, addresses }
        const what = { balance: toWireNumber(moved), ...things }
        await audit.writeAll(tx, caller, [
          { ...auditEntry(from.id), after: { merged_into: into.username, ...what } },
          { ...auditEntry(into.id), after: { merged_from: from.username, ...what } },
        ])
        return done(from, into, moved)
      }),
  }
}

function obstaclesOf({ from, into }: Parties, facts: MergeFacts, selfId: number): MergeObstacle[] {
  const isMergedElsewhere = from.merged_into !== null && from.merged_into !== into.id
  const obstacles: Record<MergeObstacle, boolean> = {
    same_account: from.id === into.id,
    own_account: from.id === selfId,
    administrator: from.is_admin || into.is_admin,
    merged_elsewhere: isMergedElsewhere,
    target_disabled: into.disabled_at !== null,
    live_calls: facts.live_calls > 0,
    held_money: facts.held_micros > 0n,
    open_payments: facts.open_payments > 0,
  }
  return (Object.keys(obstacles) as MergeObstacle[]).filter((name) => obstacles[name])
}

const done = (from: MergedUser, into: MergedUser, moved: Micros) => ({
  moved: toWireNumber(moved),
  message: `${from.username} was merged into ${into.username}.`,
})

const auditEntry = (userId: number) => ({
  action: 'user.merge',
  subject: `user ${userId}`,
  userId,
  before: null,
})
