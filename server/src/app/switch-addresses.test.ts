import { expect, it } from 'vitest'
import { createPortal } from '../../test/portal.ts'
import { createHostAddresses } from '../adapters/host-addresses.ts'
import { DAY, earlier, HOUR } from '../platform/clock.ts'
import { findSwitchAddresses } from './switch-addresses.ts'

it('lets configured switches and those that reported an address within a day send calls to media', async () => {
  const { services, clock } = await createPortal()
  const { db } = services
  const now = clock.now()
  const seen = { software: 'test', started_at: now, last_seen_at: now }
  await db
    .insertInto('switches')
    .values([
      { ...seen, switch_id: 'behind-a-tunnel', sip_address: '20.0.0.9:5060' },
      { ...seen, switch_id: 'on-ipv6', sip_address: '[2600:0::3]:5060' },
      { ...seen, switch_id: 'demo', sip_address: null },
      {
        ...seen,
        switch_id: 'removed',
        sip_address: '20.0.0.10:5060',
        last_seen_at: earlier(now, DAY + HOUR),
      },
    ])
    .execute()
  const hosts = createHostAddresses()
  const own = await hosts.resolve([])
  const addresses = await findSwitchAddresses({ db, clock, hosts }, ['20.0.0.11'])
  expect([...addresses].filter((address) => !own.has(address)).toSorted()).toEqual([
    '20.0.0.11',
    '20.0.0.9',
    '2600::3',
  ])
})
