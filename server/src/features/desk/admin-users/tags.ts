import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { USER_TAGS_LISTED, USER_TAGS_MAX } from '@trunkline/contract/limits'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { lockUsers } from './store.ts'
import { countTags, deleteTag, insertTag, tagsOf } from './tags-store.ts'

export type UserTags = ReturnType<typeof createUserTags>

/** Tags that administrators put on users. */
export function createUserTags(db: Database, audit: Audit) {
  /** Adds or removes one tag. Does nothing if the user already is as wanted. */
  const change = (
    caller: Caller,
    userId: number,
    tag: string,
    isWanted: boolean,
  ): Promise<{ tags: string[] }> =>
    db.transaction().execute(async (tx) => {
      const scope = everyonesData(caller)
      const users = await lockUsers(tx, scope, [userId])
      if (!users.has(userId)) throw new Refusal('not_found')
      const before = await tagsOf(tx, scope, userId)
      if (before.includes(tag) === isWanted) return { tags: before }
      if (isWanted) {
        if (before.length >= USER_TAGS_MAX) throw tooMany()
        await insertTag(tx, scope, userId, tag)
      } else await deleteTag(tx, scope, userId, tag)
      const after = await tagsOf(tx, scope, userId)
      await audit.write(tx, caller, {
        action: 'user.tags',
        subject: `user ${userId}`,
        userId,
        before: { tags: before },
        after: { tags: after },
      })
      return { tags: after }
    })

  return {
    async list(caller: Caller): Promise<AnswerOf<'GET /api/admin/user-tags'>> {
      return { tags: await countTags(db, everyonesData(caller), USER_TAGS_LISTED) }
    },

    add: (caller: Caller, userId: number, tag: string) => change(caller, userId, tag, true),
    remove: (caller: Caller, userId: number, tag: string) => change(caller, userId, tag, false),
  }
}

function tooMany(): Refusal {
  const { code, message } = new Refusal('too_many_tags')
  return new Refusal(code, message, [{ field: 'tag', message }])
}
