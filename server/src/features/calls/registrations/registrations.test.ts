import { expect, it } from 'vitest'
import { createShop, liveCall } from '../../../../test/catalogue.ts'
import { earlier, HOUR, later, MINUTE } from '../../../platform/clock.ts'

it('shows a customer only their own registered phones', async () => {
  const shop = await createShop()
  const now = shop.clock.now()
  const phone = (user_id: number, device: string, expires_at: Date) => ({
    switch_id: 'edge-1',
    user_id,
    contact: `sip:${device}@192.0.2.1`,
    address: '192.0.2.1',
    device,
    registered_at: earlier(now, HOUR),
    expires_at,
  })
  await shop.services.db
    .insertInto('registrations')
    .values([
      phone(shop.alice.id, 'desk', later(now, MINUTE)),
      phone(shop.alice.id, 'gone', earlier(now, MINUTE)),
      phone(shop.paula.id, 'hers', later(now, MINUTE)),
    ])
    .execute()
  const { answer } = await shop.call('GET /api/registrations', { token: shop.alice.token })
  expect(answer.registrations).toEqual([
    {
      contact: 'sip:desk@192.0.2.1',
      address: '192.0.2.1',
      device: 'desk',
      registered_at: earlier(now, HOUR).toISOString(),
      expires_at: later(now, MINUTE).toISOString(),
    },
  ])
})

it('shows the switches with their calls and phones only to administrators', async () => {
  const shop = await createShop()
  const now = shop.clock.now()
  const seen = { software: 'Kamailio 5.6', started_at: earlier(now, HOUR), last_seen_at: now }
  await shop.services.db
    .insertInto('switches')
    .values([
      { switch_id: 'edge-2', ...seen },
      { switch_id: 'edge-1', ...seen },
    ])
    .execute()
  const { id: routeId } = await shop.addRoute()
  await liveCall(shop, { userId: shop.alice.id, routeId, trunkId: null, switchId: 'edge-2' })
  const { answer } = await shop.call('GET /api/admin/switches', { token: shop.root.token })
  expect(answer.switches).toMatchObject([
    { id: 'edge-1', software: 'Kamailio 5.6', last_seen_at: now.toISOString(), live_calls: 0 },
    { id: 'edge-2', live_calls: 1, registrations: 0 },
  ])
  expect((await shop.call('GET /api/admin/switches', { token: shop.alice.token })).status).toBe(403)
})
