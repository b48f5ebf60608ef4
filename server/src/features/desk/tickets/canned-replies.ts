import type { CannedReply } from '@trunkline/contract/canned-replies'
import { Refusal } from '@trunkline/contract/errors'
import { CANNED_REPLIES_MAX } from '@trunkline/contract/limits'
import { type Caller, requireAdmin } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, refuseDuplicate } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import {
  CANNED_REPLY_NAME_INDEX,
  type CannedReplyRow,
  countForAddition,
  deleteCannedReply,
  insertCannedReply,
  listCannedReplies,
  lockCannedReply,
  updateCannedReply,
} from './canned-replies-store.ts'

export type CannedReplies = ReturnType<typeof createCannedReplies>

type Given = { name: string; text: string }
type Change = { [Field in keyof Given]?: Given[Field] | undefined } & { version?: number | undefined }

/** The library of texts that administrators insert into replies. */
export function createCannedReplies(db: Database, clock: Clock, audit: Audit) {
  async function take(tx: Database, caller: Caller, id: number): Promise<CannedReplyRow> {
    requireAdmin(caller)
    return requireFound(await lockCannedReply(tx, id))
  }

  return {
    async list(caller: Caller): Promise<CannedReply[]> {
      requireAdmin(caller)
      return (await listCannedReplies(db)).map(view)
    },

    create: (caller: Caller, { name, text }: Given): Promise<CannedReply> =>
      db
        .transaction()
        .execute(async (tx) => {
          requireAdmin(caller)
          if ((await countForAddition(tx)) >= CANNED_REPLIES_MAX) throw new Refusal('too_many_canned_replies')
          const row = await insertCannedReply(tx, { name, body: text }, clock.now())
          const after = { name, text }
          await audit.write(tx, caller, { ...auditEntry('canned_reply.create', row), before: null, after })
          return view(row)
        })
        .catch(orTaken),

    change: (caller: Caller, id: number, { version, ...change }: Change): Promise<CannedReply> =>
      db
        .transaction()
        .execute(async (tx) => {
          const row = await take(tx, caller, id)
          requireUnchanged(row.version, version)
          const before = { name: row.name, text: row.body }
          const after = { name: change.name ?? row.name, text: change.text ?? row.body }
          if (after.name === before.name && after.text === before.text) return view(row)
          const changed = await updateCannedReply(tx, id, { name: after.name, body: after.text }, clock.now())
          await audit.write(tx, caller, { ...auditEntry('canned_reply.update', row), before, after })
          return view(changed)
        })
        .catch(orTaken),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        await deleteCannedReply(tx, id)
        const before = { name: row.name, text: row.body }
        await audit.write(tx, caller, { ...auditEntry('canned_reply.delete', row), before, after: null })
      }),
  }
}

const view = ({ id, name, body, version }: CannedReplyRow): CannedReply => ({ id, name, text: body, version })

const auditEntry = (action: string, row: CannedReplyRow) => ({ action, subject: `canned reply ${row.id}` })

const orTaken = refuseDuplicate(CANNED_REPLY_NAME_INDEX, 'canned_reply_taken')
