import type { APIRequestContext, Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf } from '../support/payments.ts'
import { demo, expect, fillSignIn, heldAnswer, type Person, signIn, signUp, test } from '../support/story.ts'

const messagesIn = (page: Page) => page.getByRole('log', { name: 'Messages' })
const ticketIn = (page: Page, subject: string) =>
  page.getByRole('region', { name: 'Tickets' }).getByRole('link', { name: subject })

async function openTicket(request: APIRequestContext, by: Person, given: object = {}): Promise<number> {
  const data = { subject: 'Calls drop', message: 'After half a minute.', ...given }
  const answer = await request.post('/api/support/tickets', { headers: await bearerOf(request, by), data })
  return (await answer.json()).ticket.id
}

async function answer(request: APIRequestContext, id: number, message: string): Promise<void> {
  const headers = await bearerOf(request, demo.admin)
  const path = `/api/admin/support/tickets/${id}/replies`
  expect((await request.post(path, { headers, data: { message } })).ok()).toBe(true)
}

test('a customer sees the email address and phone number of support', async ({ page, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/support')
  await expect(page.getByText('Get help with your VoIP services')).toBeVisible()
  await expect(page.getByText(/contact the admin/i)).toBeVisible()
  await expect(page.getByRole('link', { name: 'support@trunkline.example' })).toHaveAttribute(
    'href',
    'mailto:support@trunkline.example',
  )
  await expect(page.getByRole('link', { name: /Toll-free 1-800-/ })).toHaveAttribute('href', /^tel:1800/)
})

test('a customer opens a ticket, sees the reply arrive, and replies', async ({ page, request, newcomer }) => {
  await signIn(page, newcomer, '/dashboard/support')
  await expect(page.getByText('No tickets yet')).toBeVisible()
  await page.getByRole('link', { name: 'Open a ticket' }).click()
  await expect(page.getByLabel('Subject')).toBeFocused()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Please enter a subject.')).toBeVisible()
  await expect(page.getByText('Please enter a message.')).toBeVisible()
  await page.getByLabel('Subject').fill('Calls drop')
  await page.getByLabel('Message').fill('After half a minute.\nEvery time.')
  await page.getByLabel('Priority').selectOption('High')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page).toHaveURL(/ticket=\d+/)
  await expect(messagesIn(page)).toContainText('Every time.')
  await expect(ticketIn(page, 'Calls drop')).toContainText('High priority')

  const id = Number(new URL(page.url()).searchParams.get('ticket'))
  await answer(request, id, 'We are looking into it.')
  await expect(messagesIn(page)).toContainText('We are looking into it.')
  await expect(messagesIn(page).getByRole('article').last()).toContainText('Support')
  await expect(messagesIn(page)).not.toContainText(demo.admin.username)

  await page.getByLabel('Your reply').fill('Thank you!')
  await page.keyboard.press('Control+Enter')
  await expect(messagesIn(page).getByRole('article')).toHaveCount(3)
  await expect(page.getByLabel('Your reply')).toHaveValue('')
  const staff = await request.get(`/api/admin/support/tickets/${id}`, {
    headers: await bearerOf(request, demo.admin),
  })
  expect((await staff.json()).messages.at(-1).message).toBe('Thank you!')
})

test('a reply is marked as new until it is read', async ({ page, request, newcomer }) => {
  const id = await openTicket(request, newcomer)
  await signIn(page, newcomer, '/dashboard/support')
  await expect(ticketIn(page, 'Calls drop')).toBeVisible()
  await expect(ticketIn(page, 'Calls drop')).not.toContainText('new')
  await answer(request, id, 'Which number?')
  await expect(ticketIn(page, 'Calls drop')).toContainText('1 new')
  await ticketIn(page, 'Calls drop').click()
  await expect(messagesIn(page)).toContainText('Which number?')
  await expect(ticketIn(page, 'Calls drop')).not.toContainText('new')
  await expect(ticketIn(page, 'Calls drop')).toHaveAttribute('aria-current')
})

test('a ticket is closed, reopened and given a higher priority', async ({ page, request, newcomer }) => {
  const id = await openTicket(request, newcomer)
  await signIn(page, newcomer, `/dashboard/support?ticket=${id}`)
  await page.getByLabel('Priority').selectOption('High priority')
  await expect(ticketIn(page, 'Calls drop')).toContainText('High priority')
  await page.getByLabel('Your reply').fill('One more thing')
  await page.getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByText('This ticket is closed. Reopen it to reply.')).toBeVisible()
  await expect(ticketIn(page, 'Calls drop')).toContainText('Closed')
  await page.getByRole('button', { name: 'Reopen ticket' }).click()
  await expect(page.getByLabel('Your reply')).toHaveValue('One more thing')
  await expect(ticketIn(page, 'Calls drop')).toContainText('Open')
})

test('a draft survives leaving the screen and a failed request', async ({ page, request, newcomer }) => {
  const id = await openTicket(request, newcomer)
  await signIn(page, newcomer, '/dashboard/support?ticket=new')
  await page.getByLabel('Subject').fill('Half a')
  await page.getByLabel('Message').fill('question')
  await page.getByRole('link', { name: 'CDR Report' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Support' }).click()
  await page.getByRole('link', { name: 'Open a ticket' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Half a')
  await page.route('**/api/support/tickets', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Your ticket could not be opened.')
  await expect(page.getByLabel('Message')).toHaveValue('question')

  await ticketIn(page, 'Calls drop').click()
  await page.getByLabel('Your reply').fill('Hello?')
  await page.route('**/replies', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByRole('alert')).toContainText('Your reply could not be sent.')
  await expect(page.getByLabel('Your reply')).toHaveValue('Hello?')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(messagesIn(page)).toContainText('Hello?')
  expect(page.url()).toContain(`ticket=${id}`)
})

test('a reply to a closed ticket is kept, and the ticket can be reopened', async ({
  page,
  request,
  newcomer,
}) => {
  const id = await openTicket(request, newcomer)
  await signIn(page, newcomer, `/dashboard/support?ticket=${id}`)
  await page.getByLabel('Your reply').fill('Still broken')
  await request.patch(`/api/support/tickets/${id}`, {
    headers: await bearerOf(request, newcomer),
    data: { status: 'closed' },
  })
  await expect(page.getByText('This ticket is closed. Reopen it to reply.')).toBeVisible()
  await page.getByRole('button', { name: 'Reopen ticket' }).click()
  await expect(page.getByLabel('Your reply')).toHaveValue('Still broken')
})

test('a failed ticket list can be retried, and an unknown ticket shows a message', async ({
  page,
  request,
  newcomer,
}) => {
  const id = await openTicket(request, demo.alice)
  await signIn(page, newcomer)
  await page.route('**/api/support/tickets*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/dashboard/support')
  await expect(page.getByRole('alert')).toContainText('Your tickets could not be loaded.')
  await expect(page.getByRole('region', { name: 'Ticket', exact: true })).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No tickets yet')).toBeVisible()
  await page.goto(`/dashboard/support?ticket=${id}`)
  await expect(page.getByText('Ticket not found')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Support' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('a phone shows either the list or the ticket, and the focus follows', async ({
  page,
  request,
  newcomer,
}) => {
  await openTicket(request, newcomer)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, newcomer, '/dashboard/support')
  await ticketIn(page, 'Calls drop').press('Enter')
  await expect(messagesIn(page)).toBeVisible()
  await expect(ticketIn(page, 'Calls drop')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Ticket', exact: true })).toBeFocused()
  await page.getByRole('link', { name: 'All tickets' }).press('Enter')
  await expect(ticketIn(page, 'Calls drop')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Tickets' })).toBeFocused()
})

test('axe finds nothing in tickets, in both themes, wide and narrow', async ({ page, request, newcomer }) => {
  const id = await openTicket(request, newcomer, { priority: 'high' })
  const long = { subject: 'x'.repeat(200), message: 'y'.repeat(500), priority: 'low' } as const
  const other = await openTicket(request, newcomer, long)
  await answer(request, id, 'Hello.')
  test.slow()
  await signIn(page, newcomer)
  for (const [path, sign] of [
    ['', page.getByRole('link', { name: 'Calls drop' })],
    [`?ticket=${id}`, messagesIn(page)],
    [`?ticket=${other}`, messagesIn(page)],
    ['?ticket=new', page.getByLabel('Subject')],
  ] as const) {
    await page.goto(`/dashboard/support${path}`)
    await expect(sign).toBeVisible()
    await expectNoViolations(page)
  }
})

test('drafts survive an ended session for their author, and for nobody else', async ({
  page,
  request,
  newcomer,
}) => {
  const other = await signUp(request)
  const endSession = async (person: Person) => {
    await request.delete('/api/user/sessions', { headers: await bearerOf(request, person) })
    await expect(page).toHaveURL(/\/login/)
  }
  const signInAgain = async (person: Person) => {
    await fillSignIn(page, person)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Support' }).click()
    await page.getByRole('link', { name: 'Open a ticket' }).first().click()
  }
  await signIn(page, newcomer, '/dashboard/support?ticket=new')
  await page.getByLabel('Subject').fill('Half a question')
  await endSession(newcomer)
  await signInAgain(newcomer)
  await expect(page.getByLabel('Subject')).toHaveValue('Half a question')

  await endSession(newcomer)
  await signInAgain(other)
  await expect(page.getByLabel('Subject')).toHaveValue('')
  await endSession(other)
  await signInAgain(newcomer)
  await expect(page.getByLabel('Subject')).toHaveValue('')

  await page.getByLabel('Subject').fill('Another question')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Login' }).first().click()
  await signInAgain(newcomer)
  await expect(page.getByLabel('Subject')).toHaveValue('')
})

test('a text that is typed while a reply is sent is kept', async ({ page, request, newcomer }) => {
  const id = await openTicket(request, newcomer)
  await signIn(page, newcomer, `/dashboard/support?ticket=${id}`)
  const reply = page.getByLabel('Your reply')
  await reply.fill('It is the grey phone.')
  const { asked, answer } = await heldAnswer(page, '**/replies')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await asked
  await reply.fill('It is the grey phone. And the black one.')
  answer()
  await expect(messagesIn(page)).toContainText('It is the grey phone.')
  await expect(reply).toHaveValue('It is the grey phone. And the black one.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(reply).toHaveValue('')
})
