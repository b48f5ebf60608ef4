import type { Page } from '@playwright/test'
import { demo, type Person } from './story.ts'

export { demo }

export type Screen = {
  /** Also the file name of the screenshot. */
  name: string
  path: string
  /** The signed-in user; none if absent. */
  by?: Person
  /** Steps before the screenshot. */
  open?: (page: Page) => Promise<void>
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const alices = (screens: Omit<Screen, 'by'>[]): Screen[] =>
  screens.map((screen) => ({ ...screen, by: demo.alice }))
const admins = (screens: Omit<Screen, 'by'>[]): Screen[] =>
  screens.map((screen) => ({ ...screen, by: demo.admin }))

/** Opens the newest ticket, and creates the first one. */
async function openTicket(page: Page): Promise<void> {
  const newest = page.getByRole('region', { name: 'Tickets' }).getByRole('listitem').getByRole('link').first()
  if (await newest.isVisible()) return newest.click()
  await page.goto('/dashboard/support?ticket=new')
  await page.getByLabel('Subject').fill('No sound on some calls to Germany')
  await page
    .getByLabel('Message')
    .fill(
      'Since this morning two of ten calls to +49 30 are silent for the first seconds. Can you look at them?',
    )
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Calls a number with the web phone. */
async function callFromBrowser(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Phone' }).click()
  const phone = page.getByRole('region', { name: 'Phone' })
  const takeOver = phone.getByRole('button', { name: 'Use phone here' })
  await phone.getByText('Ready').or(phone.getByText('Receives calls')).or(takeOver).waitFor()
  if (await takeOver.isVisible()) await takeOver.click()
  await phone.getByRole('textbox').fill('+442079460958')
  await phone.getByRole('button', { name: 'Call', exact: true }).click()
  await phone.getByText('0:03').waitFor()
}

/** Opens the flow of the demo. */
const openFlow = (page: Page): Promise<void> => page.getByRole('link', { name: 'Reception' }).click()

/** Selects a step; on a phone it only scrolls there. */
async function openStep(page: Page): Promise<void> {
  await openFlow(page)
  await page
    .locator('.react-flow__node')
    .or(page.getByRole('list', { name: 'Steps' }).getByRole('button'))
    .filter({ hasText: 'Welcome' })
    .first()
    .click()
}

/** Calls the flow on a Tuesday and presses a key. */
async function tryFlow(page: Page): Promise<void> {
  await openFlow(page)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByLabel('Time of the call').fill('2026-11-17T10:00')
  await page.getByRole('button', { name: 'Start call' }).click()
  await page.getByRole('button', { name: '1', exact: true }).click()
}

/** Every screen and dialog. */
export const screens: readonly Screen[] = [
  { name: 'landing', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'forgot-password', path: '/forgot-password' },
  ...alices([
    { name: 'home', path: '/dashboard' },
    { name: 'connect', path: '/dashboard', open: click('Make test Call') },
    { name: 'softphone', path: '/dashboard', open: callFromBrowser },
    { name: 'palette', path: '/dashboard', open: (page) => page.keyboard.press('Control+k') },
    { name: 'profile', path: '/dashboard/profile' },
    { name: 'profile-edit', path: '/dashboard/profile', open: click('Update Profile') },
    { name: 'trunks', path: '/dashboard/trunks' },
    { name: 'trunks-routes', path: '/dashboard/trunks', open: click(/^Change Route/) },
    { name: 'numbers', path: '/dashboard/numbers' },
    { name: 'numbers-rent', path: '/dashboard/numbers', open: click(/^Rent \+/) },
    { name: 'voicemail', path: '/dashboard/voicemail' },
    { name: 'flows', path: '/dashboard/flows' },
    { name: 'flows-new', path: '/dashboard/flows', open: click('New flow') },
    { name: 'flow', path: '/dashboard/flows', open: openFlow },
    { name: 'flow-step', path: '/dashboard/flows', open: openStep },
    { name: 'flow-simulator', path: '/dashboard/flows', open: tryFlow },
    { name: 'queues', path: '/dashboard/flows/queues' },
    { name: 'sounds', path: '/dashboard/flows/sounds' },
    { name: 'cdr-report', path: '/dashboard/cdr-report?period=custom' },
    { name: 'cdr-filter', path: '/dashboard/cdr-report?period=custom', open: click(/^Filter/) },
    {
      name: 'cdr-call',
      path: '/dashboard/cdr-report?period=custom&status=completed',
      open: (page) =>
        page
          .getByRole('link', { name: /^Details of/ })
          .first()
          .click(),
    },
    { name: 'support-new', path: '/dashboard/support?ticket=new' },
    { name: 'support-thread', path: '/dashboard/support', open: openTicket },
    { name: 'support', path: '/dashboard/support' },
    { name: 'topup', path: '/dashboard/topup' },
    { name: 'statement', path: '/dashboard/statement' },
    { name: 'upgrade', path: '/dashboard/upgrade' },
  ]),
  { name: 'upgrade-premium', path: '/dashboard/upgrade', by: demo.paula },
  ...admins([
    { name: 'admin', path: '/admin-panal' },
    { name: 'admin-route', path: '/admin-panal?route=new' },
    { name: 'admin-website-ip', path: '/admin-panal', open: click('Add/Update Website IP') },
    { name: 'admin-export', path: '/admin-panal', open: click('Export Reports') },
    { name: 'admin-palette', path: '/admin-panal', open: (page) => page.keyboard.press('Control+k') },
    { name: 'admin-payments', path: '/admin-panal/payments' },
    { name: 'admin-reviews', path: '/admin-panal/payments?view=reviews' },
    { name: 'admin-cash', path: '/admin-panal/payments?view=cash' },
    { name: 'admin-users', path: '/admin-panal/users' },
    {
      name: 'admin-users-edit',
      path: '/admin-panal/users?search=alice',
      open: (page) => page.getByRole('link', { name: 'Edit alice' }).click(),
    },
    { name: 'admin-users-add', path: '/admin-panal/users', open: click('Add User') },
    { name: 'admin-user', path: '/admin-panal/users/2' },
    { name: 'admin-user-statement', path: '/admin-panal/users/2?tab=statement' },
    { name: 'admin-user-limits', path: '/admin-panal/users/2?tab=limits' },
    { name: 'admin-promo-codes', path: '/admin-panal/promo-codes' },
    { name: 'admin-promo-code-new', path: '/admin-panal/promo-codes?new=1' },
    { name: 'admin-balances', path: '/admin-panal/balances' },
    { name: 'admin-alerts', path: '/admin-panal/alerts?state=all' },
    { name: 'admin-alert-settings', path: '/admin-panal/alerts', open: click('Alert settings') },
    { name: 'admin-trunks', path: '/admin-panal/trunks' },
    { name: 'admin-trunk-edit', path: '/admin-panal/trunks', open: click(/^Edit/) },
    {
      name: 'admin-plans',
      path: '/admin-panal/trunks?view=plans',
      open: (page) => page.getByRole('button', { name: 'Gold CLI', exact: true }).click(),
    },
    { name: 'admin-numbers', path: '/admin-panal/trunks/numbers' },
    { name: 'admin-numbers-import', path: '/admin-panal/trunks/numbers', open: click('Import CSV') },
    { name: 'admin-bulk-pricing', path: '/admin-panal/trunks/pricing' },
    { name: 'admin-routing', path: '/admin-panal/trunks/routing' },
    { name: 'admin-routing-new', path: '/admin-panal/trunks/routing', open: click('Add rule') },
    { name: 'admin-system-prompts', path: '/admin-panal/trunks/prompts' },
    { name: 'admin-carrier-invoices', path: '/admin-panal/trunks/invoices' },
    { name: 'admin-calls', path: '/admin-panal/calls?period=custom' },
    { name: 'admin-analysis', path: '/admin-panal/analysis' },
    {
      name: 'admin-analysis-carrier',
      path: '/admin-panal/analysis?by=carrier&figure=answer_rate&period=month',
    },
    { name: 'admin-support', path: '/admin-panal/support' },
    { name: 'admin-contact-requests', path: '/admin-panal/support?view=requests' },
    { name: 'admin-audit-log', path: '/admin-panal/audit-log' },
  ]),
]
