import type { Caller } from '@trunkline/domain/access'
import { signature } from '@trunkline/media/tones'
import { writeWav } from '@trunkline/media/wav'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createMedia, type MediaCall, menuOf, queueOf, SPOKEN, stepOf } from '../../../../test/media.ts'
import { createAudio } from '../../../adapters/audio.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createExports } from '../../../platform/csv.ts'
import { createSystemPrompts } from '../../catalogue/system-prompts/service.ts'
import { createAudit } from '../../identity/audit/service.ts'

const setup = forAll(async () => {
  const media = await createMedia()
  const { db } = media
  const admin: Caller = { userId: await media.newUser(), isAdmin: true }
  const prompts = createSystemPrompts({
    db,
    clock: systemClock,
    audit: createAudit(db, systemClock, createExports(media.url)),
    speech: { say: async () => null },
    audio: createAudio(),
  })
  return {
    media,
    server: await media.start(),
    replace: (name: Parameters<typeof prompts.replace>[1]['name'], number: number) => {
      const wav = Buffer.from(writeWav([signature(number)], 8_000)).toString('base64')
      return prompts.replace(admin, { language: 'en', name }, wav)
    },
    restore: (name: Parameters<typeof prompts.restore>[1]['name']) =>
      prompts.restore(admin, { language: 'en', name }),
  }
})

async function hangUp(call: MediaCall): Promise<void> {
  call.conversation.hangUp()
  await setup().media.ended(call)
}

describe('a prompt of the system', () => {
  it('is the recording of the operator in all following calls, and the voice again after it is restored', async () => {
    const { media, server, replace, restore } = setup()
    const userId = await media.newUser()
    const mailbox = async (...heard: number[]) => {
      const call = await media.call(server, { kind: 'mailbox', id: userId, userId })
      await call.hears(...heard)
      await hangUp(call)
    }
    await mailbox(SPOKEN)
    await replace('no_messages', 21)
    await mailbox(21)
    await replace('no_messages', 22)
    await mailbox(22)
    await restore('no_messages')
    await mailbox(SPOKEN)
  })

  it('replaces the default greeting and the error in a menu', async () => {
    const { media, server, replace, restore } = setup()
    const userId = await media.newUser()
    await replace('voicemail_greeting', 23)
    await replace('wrong_key', 24)
    const greeted = await media.call(server, { kind: 'voicemail', id: userId, userId })
    await greeted.hears(23)
    await hangUp(greeted)
    const question = await media.newSound(userId, 5)
    const id = await media.newFlow(userId, [menuOf('menu', question, { key_1: 'menu' }, { seconds: 30 })])
    const lost = await media.call(server, { id, userId })
    await lost.hears(5)
    lost.conversation.press('7')
    await lost.hears(5, 24, 5)
    await hangUp(lost)
    await restore('voicemail_greeting')
    await restore('wrong_key')
  })

  it('is put together with digits if a part of the sentence is recorded', async () => {
    const { media, server, replace, restore } = setup()
    const userId = await media.newUser()
    await replace('digit_2', 25)
    const id = await media.newFlow(userId, [
      queueOf('queue', { music: await media.newSound(userId, 6, 5_000), announcesPosition: true }),
    ])
    const first = await media.call(server, { id, userId })
    const inQueue = () => media.db.selectFrom('queue_calls').select('call_id').execute()
    await expect.poll(inQueue).toHaveLength(1)
    const second = await media.call(server, { id, userId })
    await expect.poll(() => second.heard().join(' ')).toContain(`${SPOKEN} 25 ${SPOKEN}`)
    await hangUp(second)
    await hangUp(first)
    await restore('digit_2')
  })

  it('reads a value out with the recordings of its characters', async () => {
    const { media, server, replace, restore } = setup()
    const userId = await media.newUser()
    await replace('letter_a', 26)
    await replace('digit_7', 27)
    const id = await media.newFlow(userId, [
      stepOf('set', 'code', { variable: 'code', value: 'A-7' }, { next: 'say' }),
      stepOf('play', 'say', {
        sound: { kind: 'text', text: 'Your code is {{spell code}}. Goodbye.', language: 'en' },
      }),
    ])
    const call = await media.call(server, { id, userId })
    await call.hears(SPOKEN, 26, 27, SPOKEN)
    await hangUp(call)
    await restore('letter_a')
    await restore('digit_7')
  })
})
