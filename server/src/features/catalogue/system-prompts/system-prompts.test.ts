import { languages } from '@trunkline/domain/flows'
import { promptNames, promptText } from '@trunkline/domain/prompts'
import { writeWav } from '@trunkline/media/wav'
import { expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'

const tone = (seconds: number): string =>
  Buffer.from(
    writeWav(
      [Int16Array.from({ length: seconds * 8_000 }, (_, at) => (at % 16 < 8 ? 6_000 : -6_000))],
      8_000,
    ),
  ).toString('base64')

const params = { language: 'de', name: 'wrong_key' } as const

async function withPrompts() {
  const shop = await createShop()
  const { token } = shop.root
  return {
    shop,
    list: async () => (await shop.call('GET /api/admin/system-prompts', { token })).answer.prompts,
    replace: (wav: string, to: object = params) =>
      shop.call('PUT /api/admin/system-prompts/:language/:name', {
        token,
        params: to as typeof params,
        body: { wav },
      }),
    restore: () => shop.call('DELETE /api/admin/system-prompts/:language/:name', { token, params }),
    audio: () =>
      shop.api.inject({
        url: '/api/admin/system-prompts/de/wrong_key/audio',
        headers: { authorization: `Bearer ${token}` },
      }),
  }
}

/** A WAV file of 16 bits and 8 kHz. */
const bytesOf = (seconds: number) => 44 + seconds * 16_000

it('lists every prompt in every language with its text', async () => {
  const { list } = await withPrompts()
  const prompts = await list()
  expect(prompts).toHaveLength(languages.length * promptNames.length)
  // Letters look the same in most languages.
  const others = prompts.filter(({ name }) => !name.startsWith('letter_'))
  expect(new Set(others.map(({ text }) => text)).size).toBeGreaterThan((3 / 4) * others.length)
  expect(prompts.find(({ language, name }) => language === 'de' && name === 'wrong_key')).toEqual({
    ...params,
    text: 'Diese Taste ist nicht belegt.',
    recording: null,
  })
})

it('replaces a prompt, plays it, restores it, and writes audit entries', async () => {
  const { shop, list, replace, restore, audio } = await withPrompts()
  const spoken = (await audio()).rawPayload
  expect(spoken).not.toHaveLength(bytesOf(2))
  const replacedAt = shop.clock.now().toISOString()
  expect((await replace(tone(2))).answer.prompt).toEqual({
    ...params,
    text: promptText('de', 'wrong_key'),
    recording: { seconds: 2, replaced_at: replacedAt },
  })
  expect((await audio()).rawPayload).toHaveLength(bytesOf(2))
  shop.clock.advance(1_000)
  await replace(tone(3))
  expect((await audio()).rawPayload).toHaveLength(bytesOf(3))
  expect((await list()).filter(({ recording }) => recording)).toMatchObject([{ recording: { seconds: 3 } }])
  expect((await restore()).answer.prompt.recording).toBeNull()
  expect((await audio()).rawPayload).toEqual(spoken)
  // Nothing is left to restore.
  expect((await restore()).status).toBe(200)

  const subject = 'prompt de wrong_key'
  expect(await auditOf(shop, shop.root, 'prompt.replace')).toMatchObject([
    { subject, before: { seconds: 2 }, after: { seconds: 3 } },
    { subject, before: null, after: { seconds: 2, replaced_at: replacedAt } },
  ])
  expect(await auditOf(shop, shop.root, 'prompt.restore')).toMatchObject([
    { subject, before: { seconds: 3 }, after: null },
  ])
})

it('refuses files that the library of a customer refuses too, and unknown prompts', async () => {
  const { list, replace } = await withPrompts()
  expect(await replace(Buffer.from('ID3 this is an MP3').toString('base64'))).toMatchObject({
    status: 400,
    code: 'sound_invalid',
    message: 'This is not a WAV file.',
  })
  expect(await replace(tone(121))).toMatchObject({ message: 'This sound is longer than two minutes.' })
  expect((await replace(tone(1), { language: 'de', name: 'other' })).status).toBe(400)
  expect((await replace(tone(1), { language: 'it', name: 'wrong_key' })).status).toBe(400)
  expect((await list()).filter(({ recording }) => recording)).toEqual([])
})
