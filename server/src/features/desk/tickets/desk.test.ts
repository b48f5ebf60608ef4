import { describe, expect, it } from 'vitest'
import { auditOf, expectNowhere } from '../../../../test/catalogue.ts'
import { signUp } from '../../../../test/portal.ts'
import { openDesk } from '../../../../test/tickets.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'

describe('a ticket', () => {
  it('is assigned to an administrator or to nobody, and found by that', async () => {
    const desk = await openDesk()
    const { portal, root, alice } = desk
    const deputy = await signUp(portal, 'deputy', { isAdmin: true })
    const ids = [await desk.open(alice), await desk.open(alice), await desk.open(desk.bob)]
    const [a = 0, b = 0, c = 0] = ids.map(({ id }) => id)
    const staff = await portal.call('GET /api/admin/support/staff', { token: root.token })
    expect(staff.answer.staff).toEqual([
      { id: deputy.id, username: 'deputy' },
      { id: root.id, username: 'root' },
    ])
    expect((await desk.staffChange(a, { assignee_id: root.id })).answer.ticket.assignee).toEqual({
      id: root.id,
      username: 'root',
    })
    await desk.staffChange(b, { assignee_id: deputy.id })
    const found = async (query: Record<string, string>) =>
      (await desk.inbox(query)).answer.tickets.map(({ id }) => id)
    expect(await found({ assigned: 'me' })).toEqual([a])
    expect(await found({ assigned: 'nobody' })).toEqual([c])
    expect(await found({})).toEqual([c, b, a])
    const mine = await portal.call('GET /api/admin/support/tickets', {
      token: deputy.token,
      query: { assigned: 'me' },
    })
    expect(mine.answer.tickets.map(({ id }) => id)).toEqual([b])

    expect((await desk.staffChange(a, { assignee_id: null })).answer.ticket.assignee).toBeNull()
    expect(await found({ assigned: 'nobody' })).toEqual([c, a])
    expect(await auditOf(portal, root, 'ticket.update')).toMatchObject([
      { before: { assignee: 'root' }, after: { assignee: null } },
      { before: { assignee: null }, after: { assignee: 'deputy' } },
      { before: { assignee: null }, after: { assignee: 'root', status: 'open' } },
    ])
  })

  it('is assigned to the administrator who replies first, unless somebody has it', async () => {
    const desk = await openDesk()
    const { portal, root, alice } = desk
    const deputy = await signUp(portal, 'deputy', { isAdmin: true })
    const { id: free } = await desk.open(alice)
    const { id: taken } = await desk.open(alice)
    await desk.staffChange(taken, { assignee_id: deputy.id })
    expect((await desk.staffReply(free, 'Which phone?')).answer.ticket.assignee).toEqual({
      id: root.id,
      username: 'root',
    })
    expect((await desk.staffReply(taken, 'Which phone?')).answer.ticket.assignee?.username).toBe('deputy')
    expect(await auditOf(portal, root, 'ticket.reply')).toMatchObject([
      { subject: `ticket ${taken}`, before: null, after: null },
      { subject: `ticket ${free}`, before: { assignee: null }, after: { assignee: 'root' } },
    ])
  })

  it('is not assigned to customers, disabled administrators or strangers', async () => {
    const desk = await openDesk()
    const { portal, alice, root } = desk
    const gone = await signUp(portal, 'gone', { isAdmin: true })
    const { id } = await desk.open(alice)
    await portal.call('PATCH /api/admin/user/update', {
      token: root.token,
      body: { id: gone.id, is_disabled: true },
    })
    for (const assignee_id of [alice.id, gone.id, 999])
      expect((await desk.staffChange(id, { assignee_id, priority: 'high' })).answer).toMatchObject({
        error: {
          code: 'invalid_input',
          fields: [{ field: 'assignee_id', message: 'Please choose an administrator.' }],
        },
      })
    expect((await desk.staffThread(id)).answer.ticket).toMatchObject({ assignee: null, priority: 'medium' })
  })

  it('loses its assignee, not itself, when the account of the assignee is deleted', async () => {
    const desk = await openDesk()
    const { portal, alice } = desk
    const { db } = portal.services
    const gone = await signUp(portal, 'gone', { isAdmin: true })
    const { id } = await desk.open(alice)
    await desk.staffChange(id, { assignee_id: gone.id })
    // The audit log keeps administrators who have an entry, so this note has none.
    const note = { ticket_id: id, author_id: gone.id, body: 'of the one who left' }
    await db
      .insertInto('ticket_notes')
      .values({ ...note, created_at: portal.clock.now() })
      .execute()
    await db.deleteFrom('users').where('id', '=', gone.id).execute()
    expect((await desk.staffThread(id)).answer).toMatchObject({
      ticket: { assignee: null },
      notes: [{ author: null, note: 'of the one who left' }],
    })
  })
})

describe('an internal note', () => {
  it('is visible to the staff, and changes nothing that the customer sees', async () => {
    const desk = await openDesk()
    const { portal, alice, root } = desk
    const { id } = await desk.open(alice)
    const before = (await desk.thread(alice, id)).answer
    portal.clock.advance(HOUR)
    const { answer } = await desk.note(id, ' Known fault of the carrier. ')
    expect(answer.notes).toEqual([
      {
        id: expect.any(Number),
        author: 'root',
        note: 'Known fault of the carrier.',
        createdAt: portal.clock.now().toISOString(),
      },
    ])
    expect(answer.ticket).toMatchObject({ is_waiting: true, unread: 1, first_answer_seconds: null })
    expect((await desk.inbox({ waiting: 'yes' })).answer.tickets).toHaveLength(1)
    await desk.staffChange(id, { assignee_id: root.id })
    expect((await desk.thread(alice, id)).answer).toEqual(before)
    expectNowhere((await desk.list(alice)).answer, 'carrier', 'root', 'assignee')
    expect(await auditOf(portal, root, 'ticket.note')).toMatchObject([
      { subject: `ticket ${id}`, user: { id: alice.id }, after: { note: 'Known fault of the carrier.' } },
    ])
  })

  it('does not end the wait of a customer who was answered, and is taken by closed tickets', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice)
    await desk.staffReply(id, 'Which phone?')
    expect((await desk.note(id, 'Asked for the phone.')).answer.ticket.is_waiting).toBe(false)
    await desk.staffChange(id, { status: 'closed' })
    expect((await desk.note(id, 'Closed without an answer.')).answer).toMatchObject({
      ticket: { status: 'closed' },
      messages: [{}, {}],
      notes: [{ note: 'Asked for the phone.' }, { note: 'Closed without an answer.' }],
    })
  })

  it('is refused with an error of the field if it is empty or too long', async () => {
    const desk = await openDesk()
    const { id } = await desk.open(desk.alice)
    expect((await desk.note(id, ' ')).answer).toMatchObject({
      error: { fields: [{ field: 'note', message: 'Please enter a note.' }] },
    })
    expect((await desk.note(id, 'x'.repeat(4_001))).status).toBe(400)
    expect((await desk.note(999, 'x')).code).toBe('not_found')
  })
})

describe('the times of the desk', () => {
  it('are the first answer of a ticket and the median of the last 30 days', async () => {
    const desk = await openDesk()
    const { portal, alice } = desk
    expect(await desk.times()).toEqual({ median_first_answer_seconds: null, oldest_waiting_seconds: null })
    const answered = async (minutes: number) => {
      const { id } = await desk.open(alice)
      portal.clock.advance(minutes * MINUTE)
      await desk.staffReply(id, 'Looking.')
      return id
    }
    const slow = await answered(500)
    const id = await answered(10)
    await answered(30)
    expect((await desk.times()).median_first_answer_seconds).toBe(30 * 60)
    // The second answer does not count.
    portal.clock.advance(HOUR)
    await desk.staffReply(id, 'Found.')
    expect((await desk.staffThread(id)).answer.ticket.first_answer_seconds).toBe(600)

    const { db } = portal.services
    const moveBack = (days: number) =>
      db
        .updateTable('tickets')
        .set({
          created_at: new Date(portal.clock.now().getTime() - days * DAY - 500 * MINUTE),
          first_answered_at: new Date(portal.clock.now().getTime() - days * DAY),
        })
        .where('id', '=', slow)
        .execute()
    await moveBack(29)
    expect((await desk.times()).median_first_answer_seconds).toBe(30 * 60)
    await moveBack(31)
    expect((await desk.times()).median_first_answer_seconds).toBe(20 * 60)
    expect((await desk.staffThread(slow)).answer.ticket.first_answer_seconds).toBe(500 * 60)
  })

  it('are the age of the oldest message that waits for the staff', async () => {
    const desk = await openDesk()
    const { portal, alice, bob } = desk
    const oldest = async () => (await desk.times()).oldest_waiting_seconds
    const first = await desk.open(alice)
    portal.clock.advance(HOUR)
    const second = await desk.open(bob)
    // A second message does not restart the wait.
    await desk.reply(alice, first.id, 'Hello?')
    portal.clock.advance(HOUR)
    expect(await oldest()).toBe(7_200)
    await desk.staffReply(first.id, 'Looking.')
    expect(await oldest()).toBe(3_600)
    await desk.staffChange(second.id, { status: 'closed' })
    expect(await oldest()).toBeNull()
    portal.clock.advance(HOUR)
    await desk.reply(alice, first.id, 'And?')
    portal.clock.advance(MINUTE)
    expect(await oldest()).toBe(60)
  })
})

it('counts waiting tickets by the time since the first message without a reply', async () => {
  const desk = await openDesk()
  const { portal, alice, bob } = desk
  const old = await desk.open(alice)
  const answered = await desk.open(bob)
  await desk.staffReply(answered.id, 'Done.')
  portal.clock.advance(2 * DAY)
  await desk.reply(alice, old.id, 'Still waiting.')
  const fresh = await desk.open(bob)
  const { answer } = await desk.inbox({})
  expect(answer.ages).toEqual({ under_4h: 1, '4h_to_1d': 0, '1d_to_3d': 1, over_3d: 0 })
  const found = async (age: string) => (await desk.inbox({ age })).answer.tickets.map(({ id }) => id)
  expect(await found('1d_to_3d')).toEqual([old.id])
  expect(await found('under_4h')).toEqual([fresh.id])
  expect(await found('over_3d')).toEqual([])
  const since = Object.fromEntries(answer.tickets.map((ticket) => [ticket.id, ticket.waiting_since]))
  expect(since[old.id]).toBe(old.createdAt)
  expect(since[answered.id]).toBeNull()
  await desk.staffReply(old.id, 'Sorry.')
  expect((await desk.inbox({})).answer.ages['1d_to_3d']).toBe(0)
})
