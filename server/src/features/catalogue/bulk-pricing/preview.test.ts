import { system } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createPricing } from '../../../../test/pricing.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

type Shown = { name: string; prefix: string | null; before: number; after: number | null }

const prices = (rows: readonly Shown[]) =>
  rows.map(({ name, prefix, before, after }) => [name, prefix, before, after])

describe('a preview', () => {
  it('has the price from the dearest trunk, with margins, and changes nothing', async () => {
    const { preview, route, berlin } = await createPricing()
    const { answer } = await preview()
    expect(answer.change).toMatchObject({
      state: 'preview',
      rule: { percent: 20, floor: 0, lowest: 0, step: 0.0001, basis: 'dearest', with_prefixes: false },
      counts: { changed: 1, cuts: 1, rises: 0, below_cost: 0, unchanged: 0, skipped: 0, customers: 0 },
    })
    expect(answer.rows).toEqual([
      {
        route_id: berlin.id,
        country: 'Germany',
        name: 'Berlin',
        planname: 'Gold',
        prefix: null,
        skipped: null,
        trunk: 'Dear',
        cost: 0.009,
        before: 0.02,
        after: 0.0108,
        margin_before: { amount: 0.011, percent: 55 },
        margin_after: { amount: 0.0018, percent: 16.7 },
        customers: 0,
        calls: 0,
        revenue: 0,
        effect: 0,
        undo: null,
      },
    ])
    expect((await route(berlin.id)).price).toBe(0.02)
  })

  it('uses the cheapest trunk if asked, and the buy rate of the longest prefix for prefix rates', async () => {
    const { preview } = await createPricing()
    const cheapest = await preview({ basis: 'cheapest', with_prefixes: true })
    expect(prices(cheapest.answer.rows)).toEqual([
      ['Berlin', null, 0.02, 0.0048],
      ['Berlin', '4915', 0.04, 0.0048],
      ['Berlin', '4930', 0.011, 0.0048],
    ])
    const dearest = await preview({ with_prefixes: true })
    expect(prices(dearest.answer.rows)).toEqual([
      ['Berlin', null, 0.02, 0.0108],
      ['Berlin', '4915', 0.04, 0.036],
      ['Berlin', '4930', 0.011, 0.0108],
    ])
  })

  it('uses the cost of the country itself where a larger country has its calling code', async () => {
    const { addPlan, addRoute, addTrunk, call, preview, root } = await createPricing()
    await addPlan('Americas')
    const trunk = await addTrunk({ plans: ['Americas'], buy_rate: 0.5 })
    await call('PUT /api/trunks/:id/rates', {
      token: root.token,
      params: { id: trunk.id },
      body: {
        rates: [
          { prefix: '1', price: 0.01 },
          { prefix: '1876', price: 0.2 },
        ],
      },
    })
    await addRoute({ name: 'Kingston', country: 'JM', planname: 'Americas', price: 0.3 })
    await addRoute({ name: 'New York', country: 'US', planname: 'Americas', price: 0.02 })
    const { answer } = await preview({ plans: ['Americas'] })
    expect(prices(answer.rows)).toEqual([
      ['Kingston', null, 0.3, 0.24],
      ['New York', null, 0.02, 0.012],
    ])
  })

  it('counts the terms of the carrier and of the route', async () => {
    const { addPlan, addTrunk, addRoute, preview } = await createPricing()
    await addPlan('Terms')
    await addTrunk({
      plans: ['Terms'],
      buy_rate: 0.01,
      buy_connect_fee: 0.002,
      buy_first_increment: 120,
      buy_next_increment: 60,
    })
    await addRoute({ name: 'Fee', planname: 'Terms', price: 0.05, connect_fee: 0.004 })
    const { answer } = await preview({ plans: ['terms'], percent: 0, floor: 0.003 })
    expect(answer.rows).toMatchObject([
      { cost: 0.022, after: 0.021, margin_after: { amount: 0.003, percent: 12 } },
    ])
  })

  it('is limited to plans and countries, and says why prices are skipped', async () => {
    const { addPlan, addRoute, addTrunk, preview, rows } = await createPricing()
    await addRoute({ name: 'London', country: 'GB', planname: 'Silver', price: 0.03 })
    await addRoute({ name: 'Gift', price: 0 })
    await addPlan('Unpriced')
    await addTrunk({ name: 'Unpriced', plans: ['Unpriced'], buy_rate: 0 })
    await addRoute({ name: 'Unknown', planname: 'Unpriced' })
    const all = (await preview()).answer
    expect(all.change.counts).toMatchObject({ changed: 1, unchanged: 0, skipped: 3 })
    const skipped = (await rows(all.change.id, { show: 'skipped' })).answer.rows
    expect(skipped.map(({ name, skipped }) => [name, skipped])).toEqual([
      ['Gift', 'free'],
      ['Unknown', 'no_cost'],
      ['London', 'no_trunk'],
    ])
    const inBritain = (await preview({ countries: ['United Kingdom'] })).answer
    expect(inBritain.change.counts).toMatchObject({ changed: 0, skipped: 1 })
    expect((await preview({ plans: ['GOLD'], countries: ['DE'] })).answer.change.counts).toMatchObject({
      changed: 1,
      skipped: 1,
    })
    const withFree = (await preview({ plans: ['Gold'], with_free: true })).answer
    expect(prices(withFree.rows)).toEqual([
      ['Berlin', null, 0.02, 0.0108],
      ['Gift', null, 0, 0.0108],
    ])
  })

  it('counts customers, calls and revenue of 30 days, and what the new price would have meant', async () => {
    const { preview, rows, select, alice, paula, berlin, services, clock } = await createPricing()
    await select(alice, berlin.id)
    await select(paula, berlin.id)
    const call = (days: number, ratePrefix: string | null, seconds: number, cost: number) =>
      aCdr({
        routeId: berlin.id,
        ratePrefix,
        seconds,
        costMicros: micros(BigInt(cost)),
        startedAt: new Date(clock.now().getTime() - days * DAY - HOUR),
      })
    await insertCdrs(services.db, system('test'), [
      call(1, null, 600, 200_000),
      call(2, '4915', 120, 80_000),
      call(40, null, 60_000, 20_000_000),
    ])
    const { change } = (await preview({ with_prefixes: true })).answer
    expect(change).toMatchObject({ calls: 2, revenue: 0.28, effect: -0.1, counts: { customers: 2 } })
    const shown = (await rows(change.id)).answer.rows
    expect(shown.map((row) => [row.prefix, row.customers, row.calls, row.revenue, row.effect])).toEqual([
      [null, 2, 1, 0.2, -0.092],
      ['4915', 2, 1, 0.08, -0.008],
      ['4930', 2, 0, 0, 0],
    ])
  })

  it('divides the calls of a prefix among the routes that price it, by their minutes', async () => {
    const { preview, addRoute, berlin, services, clock } = await createPricing()
    const other = await addRoute({ name: 'Other', rates: [{ prefix: '4915', price: 0.05 }] })
    const call = (routeId: number, seconds: number) =>
      aCdr({ routeId, ratePrefix: '4915', seconds, startedAt: new Date(clock.now().getTime() - HOUR) })
    await insertCdrs(services.db, system('test'), [
      call(berlin.id, 300),
      call(berlin.id, 600),
      call(other.id, 300),
    ])
    const { rows } = (await preview({ with_prefixes: true })).answer
    const calls = rows.filter(({ prefix }) => prefix === '4915').map((row) => [row.name, row.calls])
    expect(calls).toEqual([
      ['Berlin', 2],
      ['Other', 0],
    ])
  })

  it('is filtered, paged and exported', async () => {
    const { preview, rows, addRoute, api, root } = await createPricing()
    await addRoute({ name: '=Rise', price: 0.001 })
    const { change } = (await preview({ with_prefixes: true })).answer
    expect(change.counts).toMatchObject({ changed: 4, cuts: 3, rises: 1, below_cost: 1, unchanged: 0 })
    const named = async (query: Record<string, string | number>) =>
      (await rows(change.id, query)).answer.rows.map(({ name, prefix }) => prefix ?? name)
    expect(await named({ show: 'cuts' })).toEqual(['Berlin', '4915', '4930'])
    expect(await named({ show: 'rises' })).toEqual(['=Rise'])
    expect(await named({ show: 'below_cost' })).toEqual(['=Rise'])
    const first = (await rows(change.id, { limit: 3 })).answer
    expect(first.next).toBe(3)
    expect(await named({ after: first.next ?? 0 })).toEqual(['4930'])
    const response = await api.inject({
      url: `/api/admin/bulk-pricing/${change.id}/rows.csv?show=rises`,
      headers: { authorization: `Bearer ${root.token}` },
    })
    const [heads, line] = response.body.split('\n')
    expect(heads).toContain('Country,Route,Plan,Prefix,Skipped,Trunk,Cost,Price before,Price after')
    expect(line).toMatch(
      /^Germany,'=Rise,Gold,,,Dear,0\.0090+,0\.0010+,0\.01080+,-0\.0080+,-800\.0,0\.00180+,16\.7,/,
    )
  })

  it('refuses rules that make no sense', async () => {
    const { preview } = await createPricing()
    const odd = [
      { percent: -1 },
      { percent: 1_001 },
      { percent: 12.34 },
      { percent: '20' },
      { floor: -0.01 },
      { lowest: 0.0000001 },
      { step: 0.02 },
      { basis: 'average' },
      { countries: ['Atlantis'] },
      { more: 1 },
    ]
    for (const rule of odd) expect(await preview(rule)).toMatchObject({ status: 400, code: 'invalid_input' })
    expect(await preview({ plans: ['Gold', 'Bronze'] })).toMatchObject({
      status: 400,
      message: 'No plan has this name.',
    })
  })
})
