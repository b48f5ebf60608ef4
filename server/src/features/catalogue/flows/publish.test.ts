import { expect, it } from 'vitest'
import { at, flowsOf, goodbye, withFlow } from '../../../../test/flows.ts'
import { createSpeech } from '../sounds/speech.ts'
import { createFlows } from './service.ts'

it('does not publish a flow with problems, and names them', async () => {
  const { mine, id } = await withFlow()
  const [say, end] = goodbye('').steps
  const forward = { ...at, id: 'forward', kind: 'forward', callerId: 'number', seconds: 20 }
  const exits = { no_answer: 'end', busy: 'end', failed: 'end' }
  const broken = { start: 'say', steps: [say, end, { ...forward, number: '+44 20 7946 0999', exits }] }
  await mine.save(id, { flow: broken, version: 1 })
  const refused = await mine.publish(id, { version: 2 })
  expect(refused).toMatchObject({
    status: 409,
    code: 'flow_has_problems',
    message: 'Fix the problems of the flow before you publish it.',
  })
  const { fields } = (refused.answer as unknown as { error: { fields: object[] } }).error
  expect(fields).toContainEqual({ field: 'flow.say', message: 'Enter the text that callers hear.' })
  expect(fields).toContainEqual({
    field: 'flow.forward',
    message: 'Calls to +442079460999 are not possible.',
  })
  expect((await mine.get(id)).answer.flow.published_version).toBeNull()
})

it('publishes a forward to a number that the customer can call', async () => {
  const { shop, mine, id } = await withFlow()
  await shop.addTrunk()
  await shop.select(shop.alice, (await shop.addRoute({ country: 'United Kingdom' })).id)
  const flow = {
    start: 'forward',
    steps: [
      {
        ...at,
        id: 'forward',
        kind: 'forward',
        number: '+44 20 7946 0999',
        callerId: 'number',
        seconds: 20,
        exits: { no_answer: 'end', busy: 'end', failed: 'end' },
      },
      { ...at, id: 'end', kind: 'hangup', exits: {} },
    ],
  }
  await mine.save(id, { flow, version: 1 })
  expect(await mine.publish(id, { version: 2 })).toMatchObject({ status: 200 })
})

it('tells which numbers cannot be called or paid before anything is published', async () => {
  const { shop, mine } = await withFlow()
  const [possible, impossible] = ['442079460999', '12025550100']
  await shop.addTrunk()
  await shop.select(shop.alice, (await shop.addRoute({ country: 'United Kingdom' })).id)
  const { answer } = await mine.check(`${possible},${impossible}`)
  expect(answer).toEqual({ unreachable: [impossible], unpaid: [possible], can_record: false })
  await shop.topUp(shop.alice, 5)
  expect((await mine.check(possible)).answer.unpaid).toEqual([])
  expect((await mine.check('')).answer).toEqual({ unreachable: [], unpaid: [], can_record: false })
  expect((await mine.check('+44')).status).toBe(400)
})

it('imports a flow of another account, and reports its sounds, addresses and recording', async () => {
  const { shop, mine } = await withFlow()
  const now = shop.clock.now()
  const sound = {
    user_id: shop.paula.id,
    name: 'Hello',
    origin: 'upload' as const,
    seconds: 1,
    created_at: now,
  }
  const { id: soundId } = await shop.services.db
    .insertInto('sounds')
    .values({ ...sound, alaw: Buffer.alloc(8_000), ulaw: Buffer.alloc(8_000) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pbx = { kind: 'pbx', address: '198.51.100.7', port: 5060, transport: 'udp', seconds: 20 }
  const exported = {
    start: 'say',
    steps: [
      {
        ...at,
        id: 'say',
        kind: 'play',
        sound: { kind: 'file', soundId },
        exits: { next: 'rec', failed: 'rec' },
      },
      {
        ...at,
        id: 'rec',
        kind: 'record',
        turn: 'on',
        announcement: null,
        exits: { next: 'ring', failed: 'ring' },
      },
      {
        ...at,
        id: 'ring',
        kind: 'ring',
        destination: pbx,
        exits: { no_answer: 'end', busy: 'end', failed: 'end' },
      },
      { ...at, id: 'end', kind: 'hangup', exits: {} },
    ],
  }
  const theirs = flowsOf(shop, shop.paula)
  const { flow } = (await theirs.create('Export', exported)).answer
  const imported = await mine.create('Import', flow.draft)
  expect(imported).toMatchObject({ status: 200, answer: { flow: { draft: exported } } })
  const refused = await mine.publish(imported.answer.flow.id, { version: 1 })
  const { fields } = (refused.answer as unknown as { error: { fields: { field: string }[] } }).error
  expect(fields.map(({ field }) => field)).toEqual(['flow.say', 'flow.rec', 'flow.ring'])
})

it('speaks the texts of a flow when it is published, except those with variables', async () => {
  const { shop, mine, id, publish } = await withFlow()
  await publish()
  const spoken = async () =>
    (await shop.services.db.selectFrom('spoken_texts').select('key').execute()).length
  expect(await spoken()).toBe(1)
  await mine.save(id, { flow: goodbye('Hello {{caller}}'), version: 1 })
  expect((await mine.publish(id, { version: 2 })).status).toBe(200)
  expect(await spoken()).toBe(1)
})

it('speaks nothing for an old version, for a flow with problems and for an unchanged draft', async () => {
  const { shop, mine, id, publish } = await withFlow()
  const spoken = async () =>
    (await shop.services.db.selectFrom('spoken_texts').select('key').execute()).length
  await mine.save(id, { flow: goodbye('Never published'), version: 1 })
  expect(await publish(1)).toMatchObject({ code: 'changed_meanwhile' })
  const broken = { start: 'say', steps: goodbye('Good text').steps.slice(0, 1) }
  await mine.save(id, { flow: broken, version: 2 })
  expect(await publish(3)).toMatchObject({ code: 'flow_has_problems' })
  expect(await spoken()).toBe(0)
  await mine.save(id, { flow: goodbye('Hello'), version: 3 })
  await publish(4)
  expect(await spoken()).toBe(1)
  await shop.services.db.deleteFrom('spoken_texts').execute()
  expect((await publish(4)).status).toBe(200)
  expect(await spoken()).toBe(0)
})

it('speaks at most 300 new texts per hour for one customer, and publishes the flow anyway', async () => {
  const { shop, mine, id } = await withFlow()
  const { db, clock, attempts, pricing } = shop.services
  let spoken = 0
  const speech = createSpeech(db, clock, async () => {
    spoken += 1
    return { alaw: Buffer.alloc(1), ulaw: Buffer.alloc(1) }
  })
  const flows = createFlows({ db, clock, attempts, speech, forwardRefusal: pricing.forwardRefusal })
  const caller = { userId: shop.alice.id, isAdmin: false }
  let version = 1
  const publishTexts = async (name: string) => {
    const [say, end] = goodbye('').steps
    const sound = (index: number) => ({ kind: 'text', text: `${name} ${index}`, language: 'en' })
    const steps = Array.from({ length: 99 }, (_, index) => ({
      ...say,
      id: `say${index}`,
      sound: sound(index),
      exits: { next: index < 98 ? `say${index + 1}` : 'end', failed: 'end' },
    }))
    await mine.save(id, { flow: { start: 'say0', steps: [...steps, end] }, version })
    return flows.publish(caller, id, { version: ++version, note: '' })
  }
  for (const name of ['one', 'two', 'three']) await publishTexts(name)
  expect(spoken).toBe(297)
  expect(await publishTexts('four')).toMatchObject({ published_version: 4 })
  expect(spoken).toBe(300)
  // Texts that are kept do not count.
  await publishTexts('one')
  shop.clock.advance(3_600_000)
  await publishTexts('two')
  await publishTexts('five')
  expect(spoken).toBe(399)
})

it('does not publish a text on a server without a voice', async () => {
  const { shop, id } = await withFlow()
  const { db, clock, attempts, pricing } = shop.services
  const speech = createSpeech(db, clock, async () => null)
  const flows = createFlows({ db, clock, attempts, speech, forwardRefusal: pricing.forwardRefusal })
  const caller = { userId: shop.alice.id, isAdmin: false }
  await expect(flows.publish(caller, id, { version: 1, note: '' })).rejects.toMatchObject({
    code: 'flow_has_problems',
    fields: [
      {
        field: 'flow.say',
        message: 'Texts cannot be spoken on this server. Choose a sound instead.',
      },
    ],
  })
})
