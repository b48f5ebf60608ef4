import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { system } from '@trunkline/domain/access'
import { toWireNumber } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { insertCdrs } from '../src/features/calls/cdr/cdr-store.ts'
import { writeRecordId } from '../src/features/calls/cdr/record-id.ts'
import { createRecordingWriting } from '../src/features/calls/recordings/writing.ts'
import { aCdr } from './cdrs.ts'
import { atEnd } from './lifetime.ts'
import { createNumberShop } from './numbers.ts'
import type { SignedIn } from './portal.ts'

/** A-law samples of a tone, with the given number of channels. */
export const tone = (seconds: number, channels: 1 | 2 = 1): Uint8Array =>
  Uint8Array.from({ length: Math.round(seconds * 8_000) * channels }, (_, at) => (at % 16 < 8 ? 0xb5 : 0x35))

/** A shop whose customers have messages and recordings. */
export async function createSoundShop(
  settings: Record<string, string> = {},
  options: Parameters<typeof createNumberShop>[1] = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-sounds-'))
  const key = randomBytes(32).toString('hex')
  const shop = await createNumberShop({ SOUND_FOLDER: folder, SOUND_KEY: key, ...settings }, options)
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const { db, voicemailWriting, recordingWriting } = shop.services
  let calls = 0

  return {
    ...shop,
    folder,
    files: () => readdir(folder),
    /** Changes one byte of the first second of a message. */
    async damage(id: number) {
      const { file } = await db
        .selectFrom('voicemails')
        .select('file')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const bytes = await readFile(join(folder, file))
      bytes[100] = (bytes[100] ?? 0) ^ 1
      await writeFile(join(folder, file), bytes)
    },
    async verify({ id }: SignedIn, email = 'alice@example.com') {
      await sql`update users set email = ${email}, email_verified_at = now() where id = ${id}`.execute(db)
    },
    async beginMessage({ id }: SignedIn, given: object = {}) {
      const writer = await voicemailWriting.begin({
        userId: id,
        callId: `message-call-${++calls}`,
        number: '442079460001',
        caller: '4930123456',
        callerName: 'Berlin office',
        mediaId: 'media-1',
        ...given,
      })
      atEnd(() => writer.finish().catch(() => {}))
      return writer
    },
    async leaveMessage(who: SignedIn, { seconds = 2, ...given }: { seconds?: number; callId?: string } = {}) {
      const writer = await this.beginMessage(who, given)
      writer.append(tone(seconds))
      await writer.finish()
      return writer.id
    },
    async beginRecording({ id }: SignedIn, callId = `recorded-call-${++calls}`) {
      const writer = await recordingWriting.begin({ userId: id, callId, mediaId: 'media-1' })
      if (!writer) throw new Error('the balance does not cover the recording')
      atEnd(() => writer.finish().catch(() => {}))
      return writer
    },
    async record(who: SignedIn, { seconds = 2, callId }: { seconds?: number; callId?: string } = {}) {
      const writer = await this.beginRecording(who, callId)
      writer.append(tone(seconds, 2))
      await writer.finish()
      return writer.id
    },
    /** Another media process with the same folder. */
    otherProcess: () => createRecordingWriting({ ...shop.services, sounds: shop.services.soundFiles }),
    async heldBy({ id }: SignedIn): Promise<number> {
      const { heldMicros } = await shop.services.ledger.balanceOf(system('test'), id)
      return toWireNumber(heldMicros)
    },
    /** The id of a call record of the customer. */
    async addCallRecord({ id }: SignedIn, callId: string): Promise<string> {
      const cdr = aCdr({ callId, userId: id })
      await insertCdrs(db, system('test'), [cdr])
      return writeRecordId({ startedAt: cdr.startedAt, callId })
    },
    /** A file as the browser gets it. */
    download: (path: string, { token }: SignedIn) =>
      shop.api.inject({ url: path, headers: { authorization: `Bearer ${token}` } }),
  }
}
