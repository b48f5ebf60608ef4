import type { User } from '@trunkline/contract/accounts'
import { Refusal } from '@trunkline/contract/errors'
import { normalHost } from '@trunkline/contract/hosts'
import { ownMessages } from '@trunkline/contract/messages'
import { type ProfileField, pickFields, profileFieldNames } from '@trunkline/contract/user-fields'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { HOUR } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import type { PasswordHasher } from '../../../platform/password-hasher.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import { refuseGuessable } from '../passwords/guessable.ts'
import type { Sessions } from '../sessions/service.ts'
import { findSipCredentials } from '../sip-credentials/store.ts'
import {
  findUserById,
  setPasswordHash,
  USERNAME_INDEX,
  type UserWithBalance,
  updateProfile,
} from '../users/store.ts'
import { viewUser } from '../users/view.ts'

export type Profiles = ReturnType<typeof createProfiles>

type Deps = {
  db: Database
  hasher: PasswordHasher
  attempts: AttemptLimits
  sessions: Sessions
  onPasswordChanged: (userId: number) => Promise<void>
}

type ProfileChange = { [Name in ProfileField]?: UserWithBalance[Name] | undefined } & {
  password?: string | undefined
  websiteip?: string | null | undefined
}

/** Rate limit, because usernames reveal which accounts exist and passwords cost hashing. */
const MAX_CHANGES_PER_HOUR = 20

/** Changes of users to their own profile. */
export function createProfiles({ db, hasher, attempts, sessions, onPasswordChanged }: Deps) {
  async function read(handle: Database, caller: Caller): Promise<UserWithBalance> {
    const user = await findUserById(handle, ownDataOf(caller), caller.userId)
    if (!user) throw new Refusal('session_expired')
    return user
  }

  async function limited({ userId }: Caller): Promise<void> {
    const limit = { key: `change-profile ${userId}`, max: MAX_CHANGES_PER_HOUR, windowMs: HOUR }
    await attempts.require([limit])
  }

  return {
    /** Changes the given fields. A new password ends all sessions except that of `token`. */
    async change(caller: Caller, token: string, change: ProfileChange, isProven: boolean) {
      const before = await read(db, caller)
      const { username = before.username, password } = change
      const isRenamed = username !== before.username
      if (!isShown(change.websiteip, before)) throw new Refusal('admin_only', ownMessages.websiteIpNotYours)
      // The username is part of the credentials, and a new one invalidates the SIP password.
      if (isRenamed && !isProven) throw new Refusal('password_needed')
      if (password !== undefined) refuseGuessable(password, [username, before.email], 'password')
      if (isRenamed || password !== undefined) await limited(caller)
      const passwordHash = password === undefined ? null : await hasher.hash(password)

      const save = async (tx: Database): Promise<{ user: User; sip_password_ended: boolean }> => {
        const owner = ownDataOf(caller)
        const hadSipPassword = (await findSipCredentials(tx, owner, caller.userId)) !== undefined
        const fields = pickFields(
          change,
          profileFieldNames.filter((name) => change[name] !== undefined),
        )
        await updateProfile(tx, owner, caller.userId, { ...fields, username })
        if (passwordHash !== null) {
          await setPasswordHash(tx, owner, caller.userId, passwordHash)
          await sessions.signOutElsewhere(caller, token, tx)
        }
        return { user: viewUser(await read(tx, caller)), sip_password_ended: isRenamed && hadSipPassword }
      }
      const saved = await db
        .transaction()
        .execute(save)
        .catch((error) => {
          throw isDuplicate(error, USERNAME_INDEX) ? nameTaken() : error
        })
      if (passwordHash !== null) await onPasswordChanged(caller.userId)
      return saved
    },
  }
}

const nameTaken = () => {
  const { message } = new Refusal('username_taken')
  return new Refusal('username_taken', message, [{ field: 'username', message }])
}

/** Forms send back the current value. */
const isShown = (given: string | null | undefined, { shown_websiteip }: UserWithBalance): boolean =>
  given === undefined || (given ? (normalHost(given) ?? given) : null) === shown_websiteip
