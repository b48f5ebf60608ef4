import type { MediaTables } from '../../../platform/media-tables.ts'
import { callIdOf, nameOf } from './call.ts'

export type MediaCallKind = MediaTables['media_calls']['kind']

/** `id` is the flow, the user whose voicemail it is, or the position of the rung destination in the ring plan. */
export type MediaAddress = { kind: MediaCallKind; id: number; callId: string }

/** User part of the SIP address at which a media process takes a call: `flow~7~switch-1~123-456-789`. */
export const mediaUser = (kind: MediaCallKind, id: number, call: { callId: string; switchId: string }) =>
  [kind, id, call.switchId, nameOf(call)].join('~')

/** Null if it is not such an address. */
export function readMediaUser(user: string): MediaAddress | null {
  const [, kind, id, switchId = '', name = ''] =
    /^(flow|voicemail|mailbox|ring)~(\d{1,9})~([A-Za-z0-9._-]{1,60})~([A-Za-z0-9._-]{1,120})$/.exec(user) ??
    []
  if (!kind) return null
  return { kind: kind as MediaCallKind, id: Number(id), callId: callIdOf(switchId, name) }
}

/** A media process signs in with this account to call `leg~<token>`. Usernames cannot contain `~`. */
const ACCOUNT_PREFIX = 'media~'
export const mediaAccount = (mediaId: string): string => `${ACCOUNT_PREFIX}${mediaId}`

/** The id of the media process, or null for other accounts. */
export const mediaIdOf = (account: string): string | null =>
  account.startsWith(ACCOUNT_PREFIX) ? account.slice(ACCOUNT_PREFIX.length) : null

const LEG_PREFIX = 'leg~'
export const legUser = (token: string): string => `${LEG_PREFIX}${token}`

/** The token of `leg~<token>`, or null. */
export const tokenOfLeg = (user: string): string | null =>
  user.startsWith(LEG_PREFIX) ? user.slice(LEG_PREFIX.length) : null

/** Token of a test call, for `leg~test~<token>`. */
const TEST_PREFIX = 'test~'
export const testToken = (token: string): string => `${TEST_PREFIX}${token}`

/** What `testToken` was made from, or null. */
export const tokenOfTest = (token: string): string | null =>
  token.startsWith(TEST_PREFIX) ? token.slice(TEST_PREFIX.length) : null
