import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { bearerOf } from '../support/payments.ts'
import { demo, expect, type Person, signIn, test } from '../support/story.ts'

const messagesIn = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function openTicket(page: Page, person: Person, subject: string, message: string) {
  await signIn(page, person)
  await page.goto('/dashboard/support?ticket=new')
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill(message)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messagesIn(page)).toContainText(message)
}

test('customer and staff exchange messages that appear without a reload', async ({
  page,
  otherPage: customer,
  newcomer,
}) => {
  test.slow()
  const subject = `Echo for ${newcomer.username}`
  await openTicket(customer, newcomer, subject, 'I hear myself.')

  await signIn(page, demo.admin, '/admin-panal/support')
  const tickets = page.getByRole('region', { name: 'Tickets' })
  const ticket = tickets.getByRole('link', { name: subject })
  await expect(ticket).toContainText('1 new')
  await expect(ticket).toContainText('Needs reply')
  await page.getByLabel('Username').fill(newcomer.username)
  await expect(page).toHaveURL(new RegExp(`user=${newcomer.username}`))
  await expect(tickets.getByRole('link')).toHaveCount(1)
  await page.getByLabel('Search by subject or number').fill('no such words')
  await expect(page.getByText('No matching tickets')).toBeVisible()
  await page.getByLabel('Search by subject or number').fill('ECHO')
  await ticket.click()
  await expect(messagesIn(page)).toContainText('I hear myself.')
  // Opening the ticket marks it as read.
  await expect(ticket).not.toContainText('1 new')

  await page.getByLabel('Your reply').fill('Which phone do you use?')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(messagesIn(page).getByRole('article').last()).toContainText('admin')
  await expect(ticket).not.toContainText('Needs reply')
  await expect(messagesIn(customer).getByRole('article').last()).toContainText('Which phone do you use?')
  await expect(messagesIn(customer)).not.toContainText('admin')
  await customer.getByLabel('Your reply').fill('A grey one.')
  await customer.getByRole('button', { name: 'Send reply' }).click()
  await expect(messagesIn(page)).toContainText('A grey one.')
  await expectNoViolations(page, 'main')

  await page.getByLabel('Priority', { exact: true }).selectOption('High priority')
  await expect(ticket).toContainText('High priority')
  await page.getByRole('button', { name: 'Close ticket' }).click()
  await expect(customer.getByText('This ticket is closed.')).toBeVisible()
  await expect(ticket).toHaveCount(0)
  await page.getByLabel('Status').selectOption('Closed tickets')
  await expect(ticket).toContainText('Closed')
  await page.getByRole('button', { name: 'Reopen ticket' }).click()
  await expect(customer.getByLabel('Your reply')).toBeVisible()
})

test('staff assigns a ticket, adds an internal note and inserts a canned reply; the customer sees only the reply', async ({
  page,
  otherPage: customer,
  newcomer,
}) => {
  test.slow()
  await openTicket(customer, newcomer, 'No audio', 'I hear nothing.')

  await signIn(page, demo.admin, `/admin-panal/support?user=${newcomer.username}`)
  await expect(page.getByText('Median first answer, 30 days')).toBeVisible()
  const oldest = page.getByRole('main').getByRole('definition').nth(1)
  await expect(oldest).toContainText(/min|h|d/)
  const ticket = page.getByRole('region', { name: 'Tickets' }).getByRole('link', { name: 'No audio' })
  await ticket.click()
  await expect(page.getByText('No answer yet')).toBeVisible()

  await page.getByLabel('Filter by assignee').selectOption('Mine')
  await expect(page).toHaveURL(/assigned=me/)
  await expect(page.getByText('No matching tickets')).toBeVisible()
  await page.getByLabel('Assignee', { exact: true }).selectOption('admin (you)')
  await expect(ticket).toContainText('Assigned to admin')
  await page.getByLabel('Filter by assignee').selectOption('Unassigned')
  await expect(ticket).toHaveCount(0)
  await page.getByLabel('Filter by assignee').selectOption('All assignees')
  await expect(ticket).toBeVisible()

  await page.getByRole('tab', { name: 'Internal note' }).click()
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText('Please enter a note.')).toBeVisible()
  await note.fill('The carrier has an outage.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(messagesIn(page).getByRole('article').last()).toContainText(
    /Internal note.*The carrier has an outage\./,
  )
  await expect(note).toHaveValue('')
  await expect(ticket).toContainText('Needs reply')
  await expectNoViolations(page, 'main')

  await page.getByRole('tab', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Manage canned replies' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add reply' }).click()
  await dialog.getByRole('button', { name: 'Save reply' }).click()
  await expect(dialog.getByText('Please enter a name.')).toBeVisible()
  const name = `Greeting ${newcomer.username}`
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Text').fill('Hello {name}, we are looking into it.')
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Save reply' }).click()
  await expect(dialog.getByRole('button', { name: `Edit ${name}` })).toBeVisible()
  await expectNoViolations(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Add reply' }).click()
  await dialog.getByLabel('Name').fill(name.toUpperCase())
  await dialog.getByLabel('Text').fill('Another text')
  await dialog.getByRole('button', { name: 'Save reply' }).click()
  await expect(dialog.getByText('A canned reply with this name already exists.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const reply = page.getByLabel('Your reply')
  await page.getByRole('button', { name: `Insert ${name}` }).click()
  const text = `Hello ${newcomer.username}, we are looking into it.`
  await expect(reply).toHaveValue(text)
  await expect(reply).toBeFocused()
  await expectNoViolations(page, 'main')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText(/First answer in/)).toBeVisible()
  await expect(messagesIn(customer)).toContainText(text)
  await expect(messagesIn(customer)).not.toContainText('outage')

  await page.getByRole('button', { name: 'Manage canned replies' }).click()
  await dialog.getByRole('button', { name: `Delete ${name}` }).click()
  await dialog.getByRole('button', { name: 'Delete reply' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Manage canned replies' })).toBeFocused()
  await expect(page.getByRole('button', { name: `Insert ${name}` })).toHaveCount(0)

  await page.route('**/api/admin/support/times', (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await expect(page.getByText('The answer times could not be loaded.')).toBeVisible()
})

test('a contact request is one line that opens, is answered by email and marked as handled', async ({
  page,
  request,
  newcomer,
}) => {
  const name = `Dora ${newcomer.username}`
  const message = `A demo, please.\n${'We are a clinic with two sites. '.repeat(10)}`
  const data = { name, email: 'Dora@example.com', phone: '+1 202 555 0100', message }
  expect((await request.post('/api/contact', { data })).ok()).toBe(true)
  await signIn(page, demo.admin, '/admin-panal/support')
  await page.getByRole('link', { name: /^Contact requests/ }).click()
  const one = page.getByRole('article', { name: `Request of ${name}` })
  await expect(one).toContainText('A demo, please.')
  const height = async () => Math.round((await one.boundingBox())?.height ?? 0)
  const phone = one.getByRole('link', { name: '+1 202 555 0100' })
  await expect.poll(height).toBe(36)
  await expect(phone).toBeHidden()
  await one.click()
  await expect(phone).toBeVisible()
  await expect.poll(height).toBeGreaterThan(60)
  await expectNoViolations(page, 'main')
  await one.getByRole('button', { name: 'Whole text' }).press('Enter')
  await expect.poll(height).toBe(36)
  await expect(one.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
    'href',
    /^mailto:dora@example\.com\?subject=.*A%20demo%2C%20please/,
  )
  await expectNoViolations(page, 'main')
  await one.getByRole('button', { name: 'Mark as handled' }).click()
  await expect(one).toHaveCount(0)
  await page.getByLabel('State').selectOption('Handled')
  await expect(one).toContainText('Handled by admin')
  await one.getByRole('button', { name: 'Mark as unhandled' }).click()
  await expect(one).toHaveCount(0)
})

test('saving a canned reply does not send the half-written reply', async ({ page, request, newcomer }) => {
  const headers = await bearerOf(request, newcomer)
  const data = { subject: 'Half a reply', message: 'Are you there?' }
  const { ticket } = await (await request.post('/api/support/tickets', { headers, data })).json()
  await signIn(page, demo.admin, `/admin-panal/support?ticket=${ticket.id}`)
  const reply = page.getByLabel('Your reply')
  await reply.fill('We will refund')
  await page.getByRole('button', { name: 'Manage canned replies' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add reply' }).click()
  await dialog.getByLabel('Name').fill(`Hello ${newcomer.username}`)
  await dialog.getByLabel('Text').fill('Hello {name}')
  await dialog.getByRole('button', { name: 'Save reply' }).click()
  await expect(dialog.getByText(`Hello ${newcomer.username}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(reply).toHaveValue('We will refund')
  const thread = await (await request.get(`/api/support/tickets/${ticket.id}`, { headers })).json()
  expect(thread.messages).toHaveLength(1)
})
