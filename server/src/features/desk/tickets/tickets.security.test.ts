import { describe, expect, it } from 'vitest'
import { expectNowhere } from '../../../../test/catalogue.ts'
import { openDesk } from '../../../../test/tickets.ts'
import { HOUR } from '../../../platform/clock.ts'

describe('a ticket', () => {
  it('of another customer cannot be read, answered or closed', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice, { message: 'my secret' })
    const attempt = { token: desk.bob.token, params: { id }, body: { message: 'x' } }
    const { call } = desk.portal
    expect((await call('GET /api/support/tickets/:id', attempt)).status).toBe(404)
    expect((await call('POST /api/support/tickets/:id/replies', attempt)).status).toBe(404)
    expect((await call('POST /api/support/tickets/:id/read', attempt)).status).toBe(404)
    const close = { ...attempt, body: { status: 'closed' } }
    expect((await call('PATCH /api/support/tickets/:id', close)).status).toBe(404)
    expectNowhere((await desk.list(desk.bob)).answer, 'my secret')
    expect((await desk.thread(desk.alice, id)).answer).toMatchObject({
      ticket: { status: 'open' },
      messages: [{ message: 'my secret' }],
    })
  })

  it('does not reveal the names of staff members to customers', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice)
    await desk.staffReply(id, 'Done.')
    expectNowhere((await desk.thread(desk.alice, id)).answer, 'root')
  })

  it('refuses staff endpoints to customers', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice)
    const attempt = { token: desk.alice.token, params: { id }, body: { message: 'x' } }
    const { call } = desk.portal
    expect((await call('GET /api/admin/support/tickets', attempt)).status).toBe(403)
    expect((await call('GET /api/admin/support/tickets/:id', attempt)).status).toBe(403)
    expect((await call('POST /api/admin/support/tickets/:id/replies', attempt)).status).toBe(403)
  })

  it('has limits for size and number per hour', async () => {
    const desk = await openDesk()
    for (const bad of [
      { subject: '' },
      { subject: 'x'.repeat(201) },
      { message: ' ' },
      { message: 'x'.repeat(4001) },
      { priority: 'urgent' },
      { status: 'closed' },
      { user_id: desk.bob.id },
    ])
      expect((await desk.tryToOpen(desk.alice, bad)).status).toBe(400)
    for (let n = 0; n < 10; n++) expect((await desk.tryToOpen(desk.alice)).status).toBe(200)
    expect(await desk.tryToOpen(desk.alice)).toMatchObject({ status: 429, code: 'too_many_requests' })
    const [{ id } = { id: 0 }] = (await desk.list(desk.alice)).answer.tickets
    for (let n = 0; n < 60; n++) expect((await desk.reply(desk.alice, id, 'again')).status).toBe(200)
    expect((await desk.reply(desk.alice, id, 'again')).status).toBe(429)
    expect((await desk.tryToOpen(desk.bob)).status).toBe(200)
    desk.portal.clock.advance(HOUR)
    expect((await desk.tryToOpen(desk.alice)).status).toBe(200)
  })
})
