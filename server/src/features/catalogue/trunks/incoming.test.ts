import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  auditOf,
  createShop,
  expectNowhere,
  expectTrunkFaults,
  listedTrunks,
} from '../../../../test/catalogue.ts'

const digestOf = (id: number, password: string) =>
  createHash('md5').update(`carrier~${id}:trunkline:${password}`).digest('hex')

describe('incoming calls of a trunk', () => {
  it('are off by default', async () => {
    const shop = await createShop()
    const trunk = await shop.addTrunk()
    expect(trunk).toMatchObject({
      incoming_sources: [],
      incoming_country: null,
      incoming_prefix: '',
      incoming_username: `carrier~${trunk.id}`,
      has_incoming_password: false,
      registers: false,
    })
  })

  it('come from normalized addresses, each stored once', async () => {
    const shop = await createShop()
    const sources = [
      '192.0.2.7',
      ' 192.0.2.7:05060 ',
      '::ffff:192.0.2.7',
      '[2001:DB8::1]:5080',
      '2001:db8:0::1',
    ]
    const trunk = await shop.addTrunk({ incoming_sources: sources, incoming_country: 'Germany' })
    expect(trunk).toMatchObject({
      incoming_sources: ['192.0.2.7', '192.0.2.7:5060', '[2001:db8::1]:5080', '2001:db8::1'],
      incoming_country: 'DE',
    })
    const same = await shop.addTrunk({ incoming_sources: ['192.0.2.7'], incoming_prefix: '99#' })
    expect(same).toMatchObject({ incoming_sources: ['192.0.2.7'], incoming_prefix: '99#' })
  })

  it('are refused with an error for each invalid field', async () => {
    const shop = await createShop()
    const tooMany = Array.from({ length: 51 }, (_, at) => `192.0.2.${at + 1}`)
    await expectTrunkFaults(shop, [
      [{ incoming_sources: ['192.0.2.7', 'sip.carrier.example'] }, 'incoming_sources.1'],
      [{ incoming_sources: ['0.0.0.0'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['239.1.2.3:5060'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['::'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['[ff02::1]:5060'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['192.0.2.7:0'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['192.0.2.7:70000'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['192.0.2.0/24'] }, 'incoming_sources.0'],
      [{ incoming_sources: ['[192.0.2.7]:5060'] }, 'incoming_sources.0'],
      [{ incoming_sources: tooMany }, 'incoming_sources'],
      [{ incoming_country: '001' }, 'incoming_country'],
      [{ incoming_prefix: 'tech' }, 'incoming_prefix'],
      [{ incoming_password: 'short' }, 'incoming_password'],
      [{ registers: true }, 'registers'],
      [{ registers: true, auth_username: 'me' }, 'registers'],
    ])
  })

  it('have a password that is stored as a digest, replaced, kept and removed', async () => {
    const shop = await createShop()
    const { db } = shop.services
    const digest = () =>
      db.selectFrom('trunks').select(['incoming_realm', 'incoming_ha1']).executeTakeFirstOrThrow()
    const { id, has_incoming_password } = await shop.addTrunk({ incoming_password: 'first-secret' })
    expect(has_incoming_password).toBe(true)
    expect(await digest()).toEqual({
      incoming_realm: 'trunkline',
      incoming_ha1: digestOf(id, 'first-secret'),
    })
    const change = async (body: object) =>
      (await shop.call('PATCH /api/trunks/:id', { token: shop.root.token, params: { id }, body })).answer
        .trunk
    await change({ incoming_password: 'second-secret' })
    await change({ capacity: 7 })
    expect((await digest()).incoming_ha1).toBe(digestOf(id, 'second-secret'))
    expect(await change({ incoming_password: null })).toMatchObject({ has_incoming_password: false })
    expect(await digest()).toEqual({ incoming_realm: null, incoming_ha1: null })
    const entries = [
      await auditOf(shop, shop.root, 'trunk.create'),
      await auditOf(shop, shop.root, 'trunk.update'),
    ]
    expectNowhere(entries, 'first-secret', 'second-secret', digestOf(id, 'first-secret'), 'ha1')
    expect(entries[1]?.[0]).toMatchObject({
      before: { has_incoming_password: true },
      after: { has_incoming_password: false },
    })
  })

  it('are hidden from customers', async () => {
    const shop = await createShop()
    await shop.addTrunk({
      incoming_sources: ['192.0.2.7'],
      incoming_password: 'secret-of-carrier',
      auth_username: 'me',
      auth_password: 'secret',
      registers: true,
    })
    expectNowhere(
      await listedTrunks(shop, shop.alice.token),
      'incoming',
      '192.0.2.7',
      'carrier~',
      'registers',
    )
  })

  it('keep the credentials that a registration needs', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk({ auth_username: 'me', auth_password: 'secret', registers: true })
    const change = (body: object) =>
      shop.call('PATCH /api/trunks/:id', { token: shop.root.token, params: { id }, body })
    for (const body of [{ auth_username: null }, { auth_password: null }])
      expect(await change(body)).toMatchObject({
        status: 400,
        answer: { error: { fields: [{ field: 'registers' }] } },
      })
    expect((await change({ auth_password: null, registers: false })).answer.trunk).toMatchObject({
      registers: false,
      has_password: false,
    })
  })
})
