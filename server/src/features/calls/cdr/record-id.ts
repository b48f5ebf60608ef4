import type { CdrKey } from './list-store.ts'

/** A URL-safe record ID: the start time and the call ID. */
export const writeRecordId = ({ startedAt, callId }: CdrKey): string =>
  `${startedAt.getTime().toString(36)}.${Buffer.from(callId).toString('base64url')}`

/** Null for an invalid ID. */
export function readRecordId(id: string): CdrKey | null {
  const [moment = '', name = ''] = id.split('.')
  const startedAt = new Date(Number.parseInt(moment, 36))
  const callId = Buffer.from(name, 'base64url').toString()
  const isKey = !Number.isNaN(startedAt.getTime()) && callId !== '' && !callId.includes('\0')
  return isKey ? { startedAt, callId } : null
}
