import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { asAdmin } from '../support/admin.ts'
import { expectNoViolations } from '../support/axe.ts'
import { demo, expect, signIn, test } from '../support/calls.ts'
import { downloadFrom } from '../support/downloads.ts'

/** A plan of its own with a trunk at $0.01: one route is sold below cost, the other far above it. */
async function createPlan(admin: Awaited<ReturnType<typeof asAdmin>>) {
  const name = `Story ${randomBytes(4).toString('hex')}`
  const { plan } = await admin.send('post', '/api/plans', { name })
  const { trunk } = await admin.send('post', '/api/trunks', {
    name: `${name} carrier`,
    host: 'sip.pricing.example',
    buy_rate: 0.01,
    plans: [name],
  })
  const addRoute = async (route: object) =>
    (await admin.send('post', '/api/routes', { country: 'Faroe Islands', planname: name, ...route })).route
      .id as number
  const low = await addRoute({ name: 'Torshavn', price: 0.005 })
  const high = await addRoute({ name: 'Klaksvik', price: 0.05, rates: [{ prefix: '2982', price: 0.06 }] })
  return {
    name,
    low,
    high,
    priceOf: async (id: number) => (await admin.get(`/api/routes/${id}`)).route.price as number,
    async remove() {
      for (const id of [low, high]) await admin.send('delete', `/api/routes/${id}`)
      await admin.send('delete', `/api/trunks/${trunk.id}`)
      await admin.send('delete', `/api/plans/${plan.id}`)
    },
  }
}

const table = (page: Page, name: string) => page.getByRole('table', { name: `Prices: ${name}`, exact: true })
const rowOf = (page: Page, kind: string, name: string) =>
  table(page, kind).getByRole('row').filter({ hasText: name })

test('an administrator prices a plan from cost, applies the preview and undoes it', async ({
  page,
  request,
}) => {
  const admin = await asAdmin(request)
  const plan = await createPlan(admin)
  await signIn(page, demo.admin)
  await page.getByRole('link', { name: 'Bulk pricing' }).click()
  await expect(page.getByRole('heading', { name: 'Bulk pricing', level: 1 })).toBeVisible()
  await page.getByLabel(plan.name, { exact: true }).check()
  await page.getByLabel('Percent over cost').fill('1001')
  await expect(page.getByText('Please enter a percentage from 0 to 1000')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Apply/ })).toBeDisabled()
  await page.getByLabel('Percent over cost').fill('50')

  const apply = page.getByRole('button', { name: 'Apply 2 prices', exact: true })
  await expect(apply).toBeEnabled()
  await expect(rowOf(page, 'Changed', 'Torshavn')).toContainText('$0.005to$0.015')
  await expect(rowOf(page, 'Changed', 'Torshavn')).toContainText('-$0.005 (-100.0%)')
  await expect(rowOf(page, 'Changed', 'Klaksvik')).toContainText('$0.05to$0.015')
  await page.getByRole('tab', { name: /^Below cost before/ }).click()
  await expect(table(page, 'Below cost before').getByRole('row')).toHaveCount(2)
  await page.getByLabel('Also prefix rates').check()
  await expect(page.getByRole('button', { name: 'Apply 3 prices', exact: true })).toBeEnabled()
  await page.getByRole('tab', { name: /^Changed/ }).click()
  await expect(rowOf(page, 'Changed', '+2982')).toContainText('$0.06to$0.015')
  await expectNoViolations(page)

  const { text } = await downloadFrom(page.getByRole('button', { name: 'Export CSV' }))
  expect(text).toContain(`Faroe Islands,Klaksvik,${plan.name},2982,`)

  // Someone else changes a price after the preview.
  await admin.send('patch', `/api/routes/${plan.high}`, { price: 0.04 })
  await page.getByRole('button', { name: 'Apply 3 prices', exact: true }).click()
  const applying = page.getByRole('dialog', { name: 'Apply 3 new prices?' })
  await expect(applying).toContainText('1 price rises and 2 fall.')
  await expectNoViolations(page)
  await applying.getByRole('button', { name: 'Apply 3 prices' }).click()
  await expect(applying).toContainText('Nothing was applied. 1 price or cost has changed since the preview')
  await applying.getByRole('button', { name: 'Cancel' }).click()
  await expect(applying).toBeHidden()

  await expect(rowOf(page, 'Changed', 'Klaksvik').first()).toContainText('$0.04to$0.015')
  await page.getByRole('button', { name: 'Apply 3 prices', exact: true }).click()
  await applying.getByRole('button', { name: 'Apply 3 prices' }).click()
  await expect(applying).toBeHidden()
  await expect(page.getByText('3 prices changed.')).toBeVisible()
  expect([await plan.priceOf(plan.low), await plan.priceOf(plan.high)]).toEqual([0.015, 0.015])
  await expect(page.getByText('Every price is already right')).toBeVisible()

  const applied = page
    .getByRole('list', { name: 'Applied changes' })
    .getByRole('listitem')
    .filter({ hasText: plan.name })
  await expect(applied).toContainText('Cost of the dearest trunk plus 50%, rounded up to $0.001')
  await applied.getByRole('button', { name: /^Undo/ }).click()
  const undoing = page.getByRole('dialog', { name: 'Undo the change of 3 prices?' })
  await undoing.getByRole('button', { name: 'Undo' }).click()
  await expect(undoing).toBeHidden()
  await expect(applied).toContainText('3 prices restored')
  expect([await plan.priceOf(plan.low), await plan.priceOf(plan.high)]).toEqual([0.005, 0.04])
  await plan.remove()
})
