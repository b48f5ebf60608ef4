import { Refusal } from '@trunkline/contract/errors'
import type { RentedNumber } from '@trunkline/contract/numbers'
import type { RecordingSettings } from '@trunkline/contract/recordings'
import { type Caller, everyonesData, ownDataOf } from '@trunkline/domain/access'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { Database } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { findRental, lockRental, updateRental } from '../../catalogue/numbers/rentals-store.ts'
import { readRenewalSettings } from '../../catalogue/numbers/settings.ts'
import { viewRented } from '../../catalogue/numbers/view.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { readRecordingPrice } from './booking.ts'
import { lockRecordingSettings, readRecordingSettings, updateRecordingSettings } from './settings-store.ts'

export type RecordingSettingsService = ReturnType<typeof createRecordingSettings>

type Given = {
  records_all: boolean
  records_dialed?: boolean | undefined
  announces: boolean
  days_kept: number
  version: number
}

/** Who may record, and what is recorded. Nothing is recorded without the operator's consent. */
export function createRecordingSettings(db: Database, audit: Audit) {
  async function show(userId: number): Promise<RecordingSettings> {
    const { user_id, ...settings } = await readRecordingSettings(db, userId)
    return { ...settings, price: toWireNumber(micros(await readRecordingPrice(db))) }
  }

  return {
    show: (caller: Caller): Promise<RecordingSettings> => show(caller.userId),

    async change(caller: Caller, { version, ...given }: Given): Promise<RecordingSettings> {
      const { userId } = caller
      await db.transaction().execute(async (tx) => {
        const before = await readRecordingSettings(tx, userId)
        const isWanted = given.records_all || given.records_dialed
        if (isWanted && !before.is_allowed) throw new Refusal('recording_not_allowed')
        requireUnchanged(before.version, version)
        const locked = await lockRecordingSettings(tx, userId)
        requireUnchanged(locked.version, version)
        const { records_dialed = locked.records_dialed } = given
        await updateRecordingSettings(tx, userId, { ...given, records_dialed, version: version + 1 })
      })
      return show(userId)
    },

    async changeNumber(caller: Caller, id: number, records: boolean): Promise<RentedNumber> {
      const owner = ownDataOf(caller)
      await db.transaction().execute(async (tx) => {
        requireFound(await lockRental(tx, owner, id))
        if (records && !(await readRecordingSettings(tx, caller.userId)).is_allowed)
          throw new Refusal('recording_not_allowed')
        await updateRental(tx, owner, id, { records })
      })
      const row = requireFound(await findRental(db, owner, id))
      return viewRented(row, await readRenewalSettings(db))
    },

    async showOf(caller: Caller, userId: number): Promise<RecordingSettings> {
      requireFound(await findUserById(db, everyonesData(caller), userId))
      return show(userId)
    },

    async allow(caller: Caller, userId: number, isAllowed: boolean): Promise<RecordingSettings> {
      const scope = everyonesData(caller)
      await db.transaction().execute(async (tx) => {
        const user = requireFound(await findUserById(tx, scope, userId))
        const { is_allowed, version } = await lockRecordingSettings(tx, userId)
        if (is_allowed === isAllowed) return
        await updateRecordingSettings(tx, userId, { is_allowed: isAllowed, version: version + 1 })
        await audit.write(tx, caller, {
          action: isAllowed ? 'recording.allow' : 'recording.forbid',
          subject: `recordings of ${user.username}`,
          userId,
          before: { is_allowed },
          after: { is_allowed: isAllowed },
          reason: null,
        })
      })
      return show(userId)
    },
  }
}
