import type { AnswerOf } from '@trunkline/contract'
import type { AdminUser, NewUser, UserEdit } from '@trunkline/contract/admin-users'
import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import { messages, ownMessages } from '@trunkline/contract/messages'
import { pickFields, userFieldNames } from '@trunkline/contract/user-fields'
import { type Caller, everyonesData, requireAdmin, system } from '@trunkline/domain/access'
import { subtract, ZERO } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import type { PasswordHasher } from '../../../platform/password-hasher.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { newPassword } from '../../../platform/tokens.ts'
import type { Registrations } from '../../calls/registrations/service.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { Notices } from '../../identity/notices/service.ts'
import { refuseGuessable } from '../../identity/passwords/guessable.ts'
import type { Sessions } from '../../identity/sessions/service.ts'
import type { SipAccess } from '../../identity/sip-access/service.ts'
import type { SipCredentials } from '../../identity/sip-credentials/service.ts'
import { findSipCredentials } from '../../identity/sip-credentials/store.ts'
import type { TrustedAddresses } from '../../identity/trusted-addresses/service.ts'
import { mailboxOf } from '../../identity/users/mailbox.ts'
import { findUserById, insertUser, USERNAME_INDEX } from '../../identity/users/store.ts'
import type { Balances } from '../../money/balances/service.ts'
import { changesOf } from './changes.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import type { CustomerHealth } from './health.ts'
import { listUsers, type UserPage } from './list-store.ts'
import { lockUsers, readSurroundings, refreshBalanceOrder, type UserRow, updateUser } from './store.ts'
import { tagsOf } from './tags-store.ts'
import { viewAdminUser } from './view.ts'

export type UserAdministration = ReturnType<typeof createUserAdministration>

type Deps = {
  db: Database
  clock: Clock
  hasher: PasswordHasher
  audit: Audit
  balances: Balances
  sessions: Sessions
  sipCredentials: SipCredentials
  registrations: Registrations
  trustedAddresses: TrustedAddresses
  notices: Notices
  sipAccess: SipAccess
  health: CustomerHealth
}

export type UserSearch = Omit<UserPage, 'after' | 'now'> & { after?: string | undefined }
type Updated = Omit<AnswerOf<'PATCH /api/admin/user/update'>, 'message'>

/** A new user gets the default host. */
const ADDED_FIELDS = userFieldNames.filter((name) => !['home_country', 'host', 'websiteip'].includes(name))

/** User administration: search, create and change. */
export function createUserAdministration({
  db,
  clock,
  hasher,
  audit,
  balances,
  sessions,
  sipCredentials,
  registrations,
  trustedAddresses,
  notices,
  sipAccess,
  health,
}: Deps) {
  async function read(handle: Database, caller: Caller, id: number) {
    const scope = everyonesData(caller)
    const user = requireFound(await findUserById(handle, scope, id))
    return { ...user, tags: await tagsOf(handle, scope, id) }
  }

  const show = async (handle: Database, caller: Caller, id: number): Promise<AdminUser> =>
    viewAdminUser(await read(handle, caller, id))

  /** Sets a balance. The adjustment is the difference to the balance that the administrator read. */
  async function setBalance(tx: Database, caller: Caller, edit: UserEdit): Promise<{ isRepeat: boolean }> {
    const { id, bal, bal_was, reason, request_key } = edit
    if (bal === undefined || bal_was === undefined || !reason || !request_key) return { isRepeat: false }
    const signed = subtract(microsOf(bal), microsOf(bal_was))
    if (signed === ZERO) return { isRepeat: false }
    const posted = await balances.adjustWithin(tx, caller, { user_id: id, signed, reason, request_key })
    if (!posted.isRepeat && posted.balanceAfterMicros !== microsOf(bal))
      throw new Refusal('changed_meanwhile', ownMessages.balanceMoved)
    return posted
  }

  async function setDisabled(tx: Database, caller: Caller, row: UserRow, isDisabled: boolean): Promise<void> {
    if (isDisabled === (row.disabled_at !== null)) return
    await updateUser(tx, everyonesData(caller), row.id, { disabled_at: isDisabled ? clock.now() : null })
    if (isDisabled) await sessions.signOutEverywhere(tx, row.id)
    await audit.write(tx, caller, {
      ...auditEntry(isDisabled ? 'user.disable' : 'user.enable', row.id),
      before: { is_disabled: !isDisabled },
      after: { is_disabled: isDisabled },
    })
  }

  async function change(tx: Database, caller: Caller, edit: UserEdit): Promise<Updated> {
    const owner = everyonesData(caller)
    const { id } = edit
    const rows = await lockUsers(tx, owner, [caller.userId, id])
    // Checks the rights again under the lock, so at least one administrator always remains.
    const self = rows.get(caller.userId)
    if (!self?.is_admin || self.disabled_at !== null) throw new Refusal('admin_only')
    const row = requireFound(rows.get(id))
    if (id === caller.userId && (edit.is_disabled === true || edit.is_admin === false))
      throw new Refusal('own_account')

    if (row.merged_into !== null && edit.is_disabled === false) throw new Refusal('merged_account')

    // First, because a repeated request changes nothing else.
    const { isRepeat } = await setBalance(tx, caller, edit)
    if (isRepeat) return { user: await show(tx, caller, id), sip_password_ended: false }
    requireUnchanged(row.version, edit.version)
    const hadSipPassword = (await findSipCredentials(tx, owner, id)) !== undefined
    const changes = changesOf(row, edit)
    if (changes) {
      const { change, before, after } = changes
      // Addresses entered by administrators count as verified.
      const verified =
        change.email === undefined ? {} : { email_verified_at: change.email ? clock.now() : null }
      await updateUser(tx, owner, id, { ...change, ...verified })
      if (change.host !== undefined)
        await trustedAddresses.setHostByAdmin(tx, caller, {
          userId: id,
          before: row.host,
          host: change.host,
        })
      await audit.write(tx, caller, { ...auditEntry('user.update', id), before, after })
    }
    if (edit.is_disabled !== undefined) await setDisabled(tx, caller, row, edit.is_disabled)
    return {
      user: await show(tx, caller, id),
      sip_password_ended: hadSipPassword && changes?.change.username !== undefined,
    }
  }

  return {
    async list(caller: Caller, search: UserSearch): Promise<AnswerOf<'GET /api/users'>> {
      const { limit, after, ...rest } = search
      const rows = await listUsers(db, everyonesData(caller), {
        ...rest,
        now: clock.now(),
        limit: limit + 1,
        after: after === undefined ? undefined : readCursor(after, search.sort),
      })
      const { shown, next } = pageOf(rows, limit, cursorAfter)
      const reasons = await health.reasonsOf(
        caller,
        shown.map(({ id }) => id),
      )
      return {
        users: shown.map((row) => ({ ...viewAdminUser(row), health: reasons.get(row.id) ?? [] })),
        next,
      }
    },

    async get(caller: Caller, id: number): Promise<AnswerOf<'GET /api/admin/users/:id'>> {
      const row = await read(db, caller, id)
      const { last_sign_in_at, ...around } = await readSurroundings(db, everyonesData(caller), id, {
        now: clock.now(),
        idleSince: sessions.idleSince(),
      })
      return {
        user: {
          ...viewAdminUser(row),
          ...around,
          shown_websiteip: row.shown_websiteip,
          disabled_at: row.disabled_at?.toISOString() ?? null,
          last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
        },
      }
    },

    async add(caller: Caller, given: NewUser): Promise<AnswerOf<'POST /api/user/add'>> {
      requireAdmin(caller)
      const { password: chosen, is_premium = false, is_admin = false, ...fields } = given
      if (chosen !== undefined) refuseGuessable(chosen, [given.username, given.email], 'password')
      const password = chosen ?? newPassword()
      const passwordHash = await hasher.hash(password)
      const added = await db
        .transaction()
        .execute(async (tx) => {
          const rights = { isPremium: is_premium, isAdmin: is_admin }
          const row = await insertUser(
            tx,
            { ...fields, email: fields.email ?? null, passwordHash, isEmailVerified: true, ...rights },
            clock.now(),
          )
          await audit.write(tx, caller, {
            ...auditEntry('user.create', row.id),
            before: null,
            after: { ...pickFields(row, ADDED_FIELDS), ...rights },
          })
          return show(tx, caller, row.id)
        })
        .catch(orTaken)
      return { user: added, password: chosen === undefined ? password : null }
    },

    async update(caller: Caller, edit: UserEdit): Promise<AnswerOf<'PATCH /api/admin/user/update'>> {
      const before = await read(db, caller, edit.id)
      if (edit.host !== undefined && edit.host !== before.host)
        await trustedAddresses.allowHostByAdmin(caller, edit.host)
      const updated = await db
        .transaction()
        .execute((tx) => change(tx, caller, edit))
        .catch(orTaken)
      const former = mailboxOf(before)
      if (former !== null && edit.email !== undefined && edit.email !== former)
        await notices.tellFormerMailbox(edit.id, former, edit.email ?? 'none')
      return { ...updated, message: messages.userUpdated }
    },

    async sessionsOf(caller: Caller, id: number, token: string) {
      await read(db, caller, id)
      return { sessions: await sessions.ofUser(caller, id, token) }
    },

    signOut: (
      caller: Caller,
      id: number,
      { endsSipAccess }: { endsSipAccess: boolean },
    ): Promise<AnswerOf<'DELETE /api/admin/users/:id/sessions'>> =>
      db.transaction().execute(async (tx) => {
        await read(tx, caller, id)
        const ended = await sessions.signOutEverywhere(tx, id)
        if (endsSipAccess) await sipAccess.end(tx, id)
        const after = { ended, sip_access: endsSipAccess ? 'ended' : 'kept' }
        await audit.write(tx, caller, { ...auditEntry('user.sign_out', id), before: null, after })
        return { ended, message: ownMessages.userSignedOut }
      }),

    async sip(caller: Caller, id: number): Promise<AnswerOf<'GET /api/admin/users/:id/sip'>> {
      return {
        connection: await sipCredentials.connectionOf(caller, id),
        registrations: await registrations.ofUser(caller, id),
      }
    },

    /** Job handler: updates the order of balances. */
    refreshBalanceOrder: (): Promise<number> => refreshBalanceOrder(db, system('the order of balances')),
  }
}

const auditEntry = (action: string, userId: number) => ({
  action,
  subject: `user ${userId}`,
  userId,
})

const FIELD_OF: Partial<Record<ErrorCode, string>> = { username_taken: 'username', host_taken: 'host' }

/** Maps a duplicate to an error of the field. */
function orTaken(error: unknown): never {
  const refusal = isDuplicate(error, USERNAME_INDEX) ? new Refusal('username_taken') : error
  const field = refusal instanceof Refusal ? FIELD_OF[refusal.code] : undefined
  if (!(refusal instanceof Refusal) || !field) throw refusal
  throw new Refusal(refusal.code, refusal.message, [{ field, message: refusal.message }])
}
