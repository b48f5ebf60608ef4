import { FLOWS_MAX } from '@trunkline/contract/limits'
import { defaultPlan } from '@trunkline/domain/ringing'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { racing } from '../../../../test/catalogue.ts'
import { at, flowsOf, goodbye, withFlow } from '../../../../test/flows.ts'
import { insertLiveCall } from '../../../../test/live-calls.ts'

async function withRented() {
  const given = await withFlow()
  const { shop } = given
  await shop.topUp(shop.alice, 20)
  const { number } = (await shop.rent(shop.alice, await shop.addNumber())).answer
  const lead = (to: object, version = 1) =>
    shop.call('PATCH /api/numbers/:id', {
      token: shop.alice.token,
      params: { id: number.id },
      body: { ring_plan: { ...defaultPlan('UTC'), ...to }, version },
    })
  return { ...given, number, lead }
}

it('keeps a draft that no call uses, and publishes it as version 1', async () => {
  const { shop, mine, id, publish } = await withFlow()
  expect((await mine.get(id)).answer.flow).toEqual({
    id,
    name: 'Reception',
    published_version: null,
    published_at: null,
    is_changed: true,
    updated_at: shop.clock.now().toISOString(),
    step_count: 2,
    numbers: [],
    draft: goodbye('Goodbye'),
    secret: expect.stringMatching(/^[\w-]{43}$/),
    version: 1,
  })
  shop.clock.advance(60_000)
  expect((await publish()).answer.flow).toMatchObject({
    published_version: 1,
    published_at: shop.clock.now().toISOString(),
    is_changed: false,
    version: 1,
  })
  const [listed] = await mine.list()
  expect(listed).toMatchObject({ name: 'Reception', published_version: 1, is_changed: false })
  expect(listed).not.toHaveProperty('secret')
})

it('keeps every published version, and none for an unchanged draft', async () => {
  const { shop, mine, id, publish } = await withFlow()
  await publish()
  await publish()
  const saved = await mine.save(id, { flow: goodbye('See you'), version: 1 })
  expect(saved.answer.flow).toMatchObject({ published_version: 1, is_changed: true, version: 2 })
  await mine.publish(id, { version: 2, note: ' friendlier ' })
  const { versions } = (await mine.versions(id)).answer
  expect(versions).toEqual([
    {
      number: 2,
      note: 'friendlier',
      published_at: expect.any(String),
      published_by: 'alice',
    },
    {
      number: 1,
      note: '',
      published_at: expect.any(String),
      published_by: 'alice',
    },
  ])
  const { version: first } = (await mine.version(id, 1)).answer
  expect(first).toEqual({ ...versions[1], flow: goodbye('Goodbye') })
  expect((await mine.version(id, 3)).code).toBe('not_found')
  expect((await flowsOf(shop, shop.paula).version(id, 1)).code).toBe('not_found')
  // Going back: the old flow becomes the draft.
  await mine.save(id, { flow: first.flow, version: 2 })
  expect((await mine.publish(id, { version: 3 })).answer.flow).toMatchObject({ published_version: 3 })
})

it('accepts one of several saves of the same version, and refuses to publish an old draft', async () => {
  const { mine, id } = await withFlow()
  const saves = await Promise.all(
    ['one', 'two', 'three'].map((text) => mine.save(id, { flow: goodbye(text), version: 1 })),
  )
  expect(saves.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(saves.filter(({ code }) => code === 'changed_meanwhile')).toHaveLength(2)
  expect(await mine.publish(id, { version: 1 })).toMatchObject({ status: 409, code: 'changed_meanwhile' })
})

it('renames a flow, but not to a name that is taken', async () => {
  const { mine, id } = await withFlow()
  await mine.create('Night')
  expect((await mine.save(id, { name: 'Day', version: 1 })).answer.flow).toMatchObject({ name: 'Day' })
  expect(await mine.save(id, { name: 'Night', version: 2 })).toMatchObject({
    status: 409,
    code: 'name_taken',
    answer: { error: { fields: [{ field: 'name' }] } },
  })
  expect(await mine.create('Night')).toMatchObject({ status: 409, code: 'name_taken' })
  expect((await mine.list()).map(({ name }) => name)).toEqual(['Day', 'Night'])
})

it('shows flows to nobody else', async () => {
  const { shop, mine, id } = await withFlow()
  const theirs = flowsOf(shop, shop.paula)
  expect(await theirs.list()).toEqual([])
  const tried = [
    await theirs.get(id),
    await theirs.save(id, { name: 'Mine', version: 1 }),
    await theirs.publish(id, { version: 1 }),
    await theirs.versions(id),
    await theirs.waiting(id),
    await theirs.remove(id),
    await flowsOf(shop, shop.root).get(id),
  ]
  expect(tried.map(({ status }) => status)).toEqual(tried.map(() => 404))
  expect((await mine.get(id)).answer.flow).toMatchObject({ name: 'Reception', published_version: null })
  // Names are unique per customer.
  expect((await theirs.create('Reception')).status).toBe(200)
})

it('leads a number only to a published flow of its customer', async () => {
  const { shop, id, lead, number, publish, mine } = await withRented()
  const to = (flowId: number) => ({ destination: { kind: 'flow', flowId } })
  expect(await lead(to(id))).toMatchObject({
    status: 400,
    message: 'Choose one of your flows that is published.',
    answer: { error: { fields: [{ field: 'ring_plan.destination.flowId' }] } },
  })
  const theirs = flowsOf(shop, shop.paula)
  const other = (await theirs.create('Theirs')).answer.flow.id
  await theirs.publish(other, { version: 1 })
  expect((await lead(to(other))).status).toBe(400)
  await publish()
  expect((await lead(to(id))).status).toBe(200)
  expect((await mine.list())[0]?.numbers).toEqual([number.number.slice(1)])
})

it.each([
  ['destination', { destination: { kind: 'flow', flowId: 0 } }],
  ['fallback', { fallback: { kind: 'flow', flowId: 0 } }],
  [
    'rule',
    {
      rules: [
        { name: 'Night', days: [1, 2, 3, 4, 5], from: 0, to: 480, destination: { kind: 'flow', flowId: 0 } },
      ],
    },
  ],
])('deletes no flow that is the %s of a number', async (_place, plan) => {
  const { mine, id, lead, publish } = await withRented()
  await publish()
  const led = await lead(JSON.parse(JSON.stringify(plan).replace('"flowId":0', `"flowId":${id}`)))
  expect(led).toMatchObject({ status: 200 })
  expect(await mine.remove(id)).toMatchObject({ status: 409, code: 'flow_in_use' })
  await lead({}, 2)
  expect(await mine.remove(id)).toMatchObject({ status: 200, message: 'Flow deleted.' })
  expect(await mine.list()).toEqual([])
})

it('never leaves a number that leads to a deleted flow', async () => {
  const { shop, mine, id, lead, publish } = await withRented()
  await publish()
  const done = await racing<{ status: number }>(
    shop,
    (tx) => sql`select from flows where id = ${id} for update`.execute(tx),
    () => [lead({ destination: { kind: 'flow', flowId: id } }), mine.remove(id)],
  )
  expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('keeps 100 versions, and older ones that a call in progress uses', async () => {
  const { shop, mine, id, publish } = await withFlow()
  await publish()
  const { db } = shop.services
  const [first] = await db.selectFrom('flow_versions').selectAll().execute()
  const now = shop.clock.now()
  await db
    .insertInto('media_calls')
    .values({
      call_id: 'call',
      user_id: shop.alice.id,
      kind: 'flow',
      media_id: 'one',
      media_started_at: now,
      flow_version_id: first?.id ?? 0,
      started_at: now,
    })
    .execute()
  for (let version = 1; version <= 102; version++) {
    await mine.save(id, { flow: goodbye(`Text ${version}`), version })
    await mine.publish(id, { version: version + 1 })
  }
  const numbers = async () => (await mine.versions(id)).answer.versions.map(({ number }) => number)
  expect((await numbers()).slice(-2)).toEqual([4, 1])
  await db.updateTable('media_calls').set({ ended_at: now }).execute()
  await mine.save(id, { flow: goodbye('The last'), version: 103 })
  await mine.publish(id, { version: 104 })
  expect(await numbers()).toEqual(Array.from({ length: 100 }, (_, index) => 104 - index))
})

it('refuses more flows than fit', async () => {
  const { mine } = await withFlow()
  const created = await Promise.all(
    Array.from({ length: FLOWS_MAX + 1 }, (_, index) => mine.create(`Flow ${index}`)),
  )
  expect(created.filter(({ status }) => status === 200)).toHaveLength(FLOWS_MAX - 1)
  expect(created.find(({ status }) => status !== 200)).toMatchObject({ status: 409, code: 'too_many_flows' })
})

it('refuses a flow of a wrong form, and names the field', async () => {
  const { mine } = await withFlow()
  const [say, end] = goodbye('Hello').steps
  expect(await mine.create('Wrong', { start: 'say', steps: [{ ...say, kind: 'dance' }, end] })).toMatchObject(
    {
      status: 400,
      answer: { error: { fields: [{ field: expect.stringMatching(/^flow\.steps\.0/) }] } },
    },
  )
  expect((await mine.create('Wrong', { start: 'say', steps: [{ ...say, extra: 1 }, end] })).status).toBe(400)
})

it('refuses a step with more than 16 exits, but still shows a stored one', async () => {
  const { shop, mine, id } = await withFlow()
  const withExits = (count: number) => {
    const exits = Array.from({ length: count }, (_, index) => ['x'.repeat(index + 1), 'end'])
    return { start: 'end', steps: [{ ...at, id: 'end', kind: 'hangup', exits: Object.fromEntries(exits) }] }
  }
  expect((await mine.create('Enough', withExits(16))).status).toBe(200)
  expect(await mine.create('Too many', withExits(17))).toMatchObject({
    status: 400,
    answer: {
      error: { fields: [{ field: 'flow.steps.0.exits', message: 'A step can have at most 16 exits.' }] },
    },
  })
  const stored = withExits(17)
  await shop.services.db
    .updateTable('flows')
    .set({ draft: JSON.stringify(stored) })
    .where('id', '=', id)
    .execute()
  expect((await mine.get(id)).answer.flow.draft).toEqual(stored)
})

const music = { kind: 'text', text: 'Please wait.', language: 'en' } as const
const queueStep = (id: string, name: string) => ({
  ...at,
  id,
  name,
  kind: 'queue',
  music,
  announcesPosition: true,
  devices: 'all',
  ringSeconds: 20,
  maxSeconds: 60,
  maxWaiting: 5,
  exits: { timeout: 'end', full: 'end', failed: 'end' },
})
const end = { ...at, id: 'end', kind: 'hangup', exits: {} }
const queueFlow = (id: string, name: string) => ({ start: id, steps: [queueStep(id, name), end] })

it('lists queues of published flows, and callers in order of arrival', async () => {
  const { shop, mine, id, publish } = await withFlow()
  const { db } = shop.services
  const entered = shop.clock.now()
  async function wait(name: string, step_id: string) {
    const call_id = `sw1/${name}`
    const version = await db.selectFrom('flow_versions').select('id').orderBy('id', 'desc').executeTakeFirst()
    const row = { call_id, user_id: shop.alice.id, kind: 'flow', media_id: 'one' } as const
    await db
      .insertInto('media_calls')
      .values({
        ...row,
        flow_version_id: version?.id ?? null,
        media_started_at: entered,
        started_at: entered,
      })
      .execute()
    await insertLiveCall(db, shop.alice.id, { call_id, started_at: entered, caller_name: name })
    await db
      .insertInto('queue_calls')
      .values({ call_id, flow_id: id, step_id, entered_at: entered })
      .execute()
  }
  await mine.save(id, { flow: queueFlow('sales', 'Sales'), version: 1 })
  expect(await mine.queues()).toEqual([])
  await publish(2)
  const sales = { flow_id: id, flow_name: 'Reception', step_id: 'sales', step_name: 'Sales' }
  expect(await mine.queues()).toEqual([{ ...sales, waiting: [] }])
  await wait('b', 'sales')
  await wait('a', 'sales')
  shop.clock.advance(65_000)
  const seen = (caller_name: string) => ({
    caller: '12025550100',
    caller_name,
    entered_at: entered.toISOString(),
    waited_seconds: 65,
  })
  expect((await mine.waiting(id)).answer.waiting).toEqual([
    { step_id: 'sales', ...seen('b') },
    { step_id: 'sales', ...seen('a') },
  ])
  expect(await mine.queues()).toEqual([{ ...sales, waiting: [seen('b'), seen('a')] }])

  // A queue that was removed is shown as long as somebody waits in it.
  await mine.save(id, { flow: queueFlow('help', 'Help'), version: 2 })
  await publish(3)
  await wait('c', 'help')
  const help = { ...sales, step_id: 'help', step_name: 'Help', waiting: [{ caller_name: 'c' }] }
  expect(await mine.queues()).toMatchObject([help, { ...sales, waiting: [{}, {}] }])
  await db.deleteFrom('queue_calls').where('step_id', '=', 'sales').execute()
  expect(await mine.queues()).toMatchObject([help])
  expect(await flowsOf(shop, shop.paula).queues()).toEqual([])
})
