import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { openDesk } from '../../../../test/tickets.ts'

describe('a ticket', () => {
  it('is created, answered, read, replied to and closed, with unread counts for both sides', async () => {
    const desk = await openDesk()
    const { alice, root, portal } = desk
    const ticket = await desk.open(alice, {
      subject: 'One-way audio',
      message: 'I hear nothing.',
      priority: 'high',
    })
    const at = portal.clock.now().toISOString()
    expect(ticket).toEqual({
      id: ticket.id,
      subject: 'One-way audio',
      message: 'I hear nothing.',
      status: 'open',
      priority: 'high',
      createdAt: at,
      updatedAt: at,
      unread: 0,
    })
    expect((await desk.inbox()).answer).toMatchObject({
      open: 1,
      tickets: [{ id: ticket.id, unread: 1, user: { id: alice.id, username: 'alice' } }],
    })

    portal.clock.advance(60_000)
    expect((await desk.staffReply(ticket.id, 'Which phone?')).answer.ticket.unread).toBe(0)
    const hers = await desk.thread(alice, ticket.id)
    expect(hers.answer.ticket).toMatchObject({ unread: 1, updatedAt: portal.clock.now().toISOString() })
    expect(hers.answer.messages).toMatchObject([
      { author: 'alice', is_staff: false, message: 'I hear nothing.' },
      { author: 'Support', is_staff: true, message: 'Which phone?' },
    ])
    await portal.call('POST /api/support/tickets/:id/read', { token: alice.token, params: { id: ticket.id } })
    expect((await desk.list(alice)).answer.tickets[0]?.unread).toBe(0)

    await desk.reply(alice, ticket.id, 'A desk phone.')
    await desk.reply(alice, ticket.id, 'A grey one.')
    expect((await desk.inbox()).answer.tickets[0]?.unread).toBe(2)
    const read = { token: root.token, params: { id: ticket.id } }
    await portal.call('POST /api/admin/support/tickets/:id/read', read)
    expect((await desk.inbox()).answer.tickets[0]?.unread).toBe(0)

    const closed = { ...read, body: { status: 'closed', priority: 'low' } }
    expect((await portal.call('PATCH /api/admin/support/tickets/:id', closed)).answer.ticket).toMatchObject({
      status: 'closed',
      priority: 'low',
    })
    expect((await desk.inbox()).answer.open).toBe(0)
    expect(await auditOf(portal, root, 'ticket.update')).toMatchObject([
      { before: { status: 'open', priority: 'high' }, after: { status: 'closed', priority: 'low' } },
    ])
    expect(await auditOf(portal, root, 'ticket.reply')).toHaveLength(1)
  })

  it('can be closed and reopened by its customer', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice)
    const change = (body: object) =>
      desk.portal.call('PATCH /api/support/tickets/:id', { token: desk.alice.token, params: { id }, body })
    expect((await change({ status: 'closed' })).answer.ticket.status).toBe('closed')
    expect(await desk.reply(desk.alice, id, 'One more thing')).toMatchObject({
      status: 409,
      code: 'ticket_closed',
    })
    expect((await desk.staffReply(id, 'Hello?')).code).toBe('ticket_closed')
    expect((await change({ status: 'open', priority: 'medium' })).answer.ticket.status).toBe('open')
    expect((await desk.reply(desk.alice, id, 'One more thing')).status).toBe(200)
  })

  it('is listed newest first, with paging and filters by status, priority and user', async () => {
    const desk = await openDesk()
    const mine: number[] = []
    for (const priority of ['high', 'low', 'high'] as const)
      mine.push((await desk.open(desk.alice, { priority })).id)
    const theirs = await desk.open(desk.bob)
    const [a = 0, b = 0, c = 0] = mine
    const first = (await desk.list(desk.alice, { limit: 2 })).answer
    expect(first.tickets.map(({ id }) => id)).toEqual([c, b])
    const rest = (await desk.list(desk.alice, { limit: 2, before: first.next ?? 0 })).answer
    expect(rest.tickets.map(({ id }) => id)).toEqual([a])
    const found = async (query: Record<string, string | number>) =>
      (await desk.inbox(query)).answer.tickets.map(({ id }) => id)
    expect(await found({})).toEqual([theirs.id, c, b, a])
    expect(await found({ priority: 'high' })).toEqual([c, a])
    expect(await found({ user: desk.bob.id })).toEqual([theirs.id])
    expect(await found({ status: 'closed' })).toEqual([])

    await desk.staffReply(b, 'Looking.')
    const { answer } = await desk.inbox({ waiting: 'yes' })
    expect(answer.tickets.map(({ id }) => id)).toEqual([theirs.id, c, a])
    expect(answer).toMatchObject({ open: 4, waiting: 3 })
    await desk.reply(desk.alice, b, 'And?')
    expect(await found({ waiting: 'yes', username: 'ALICE' })).toEqual([c, b, a])
    const special = await desk.open(desk.bob, { subject: 'Echo on 100% of calls' })
    expect(await found({ text: 'ECHO' })).toEqual([special.id])
    expect(await found({ text: '100%' })).toEqual([special.id])
    expect(await found({ text: '_' })).toEqual([])
    expect(await found({ text: String(a) })).toContain(a)
  })
})
