import {
  beginTopUp,
  expect,
  isMarked,
  markPage,
  panelOf,
  payAndReturn,
  returnToPortal,
  signIn,
  test,
  underpay,
} from '../support/payments.ts'
import { heldAnswer } from '../support/story.ts'

test.describe('topping up', () => {
  test('a customer tops up $1000 through the sandbox page and sees $1000.00 more', async ({
    page,
    newcomer,
    provider: _,
  }) => {
    await signIn(page, newcomer)
    const balance = page.getByRole('region', { name: 'Account Balance' })
    await expect(balance).toContainText('$0.00')
    await balance.getByRole('link', { name: 'Top Up' }).click()
    await expect(page).toHaveURL('/dashboard/topup')
    await expect(page.getByRole('heading', { name: 'Top Up Your Balance' })).toBeVisible()
    await page.getByRole('button', { name: '$1000', exact: true }).click()
    await page.getByRole('button', { name: 'Top Up Now' }).click()
    await payAndReturn(page)
    await expect(page).toHaveURL(/\/dashboard\/topup\?success=1&invoice=\d+$/)
    await expect(panelOf(page)).toContainText('$1000.00 added to your balance')
    await expect(panelOf(page)).toContainText('Your balance is now $1000.00.')
    await expect(page.getByRole('row', { name: /ORD-\d+-\d+/ })).toContainText('Completed')

    await panelOf(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(panelOf(page)).toBeHidden()
    await expect(page).toHaveURL('/dashboard/topup')
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(balance).toContainText('$1000.00')
  })

  test('the page confirms the payment only after it arrives, without a reload', async ({
    page,
    newcomer,
    provider,
  }) => {
    await provider.set({ confirmation_seconds: 60 })
    await signIn(page, newcomer)
    await beginTopUp(page, '$2000')
    await returnToPortal(page)
    await expect(panelOf(page)).toContainText('Waiting for your payment')
    await markPage(page)

    await panelOf(page).getByRole('link', { name: 'Return to payment page' }).click()
    await payAndReturn(page)
    await expect(panelOf(page)).toContainText('Your payment is being confirmed')
    await expect(panelOf(page)).toContainText('Confirming')
    await expect(panelOf(page)).not.toContainText('added to your balance')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Balance now$0.00')
    await markPage(page)
    await provider.advance(61)
    await expect(panelOf(page)).toContainText('$2000.00 added to your balance')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Balance now$2000.00')
    expect(await isMarked(page)).toBe(true)
  })

  test('a customer who underpays sees the state and can pay the rest', async ({
    page,
    newcomer,
    provider: _,
  }) => {
    await underpay(page, newcomer)
    await expect(panelOf(page)).toContainText(
      'We received less than the requested amount. Pay the rest on the payment page, or support will review it.',
    )
    await expect(panelOf(page)).not.toContainText('added to your balance')
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Balance now$0.00')
    await panelOf(page).getByRole('link', { name: 'Pay the rest' }).click()
    await payAndReturn(page, /^Pay \$100\.00$/)
    await expect(panelOf(page)).toContainText('Your balance is now $1000.00.')
  })

  test('an expired payment is shown as failed, and a new one can be started', async ({
    page,
    newcomer,
    provider: _,
  }) => {
    await signIn(page, newcomer)
    await beginTopUp(page, '$5000')
    await payAndReturn(page, 'Let it expire')
    await expect(panelOf(page)).toContainText('This payment request has expired')
    await expect(panelOf(page)).toContainText('Nothing was charged.')
    await expect(page.getByRole('link', { name: /Pay now/ })).toBeHidden()
    await expect(page.getByRole('button', { name: '$1000', exact: true })).toBeEnabled()
  })

  test('without an id in the URL the newest payment is shown, never that of another user', async ({
    page,
    newcomer,
    provider: _,
  }) => {
    await signIn(page, newcomer, '/dashboard/topup?success=true')
    await expect(panelOf(page)).toContainText('No payment found')
    await page.goto('/dashboard/topup?success=true&invoice=1')
    await expect(panelOf(page)).toContainText('Payment not found')
    await beginTopUp(page, '$7000')
    await page.goto('/dashboard/topup?success=true')
    await expect(panelOf(page)).toContainText('$7000.00 will be in your balance')
  })

  test('a provider failure shows the texts of the specification', async ({ page, newcomer, provider }) => {
    await signIn(page, newcomer, '/dashboard/topup')
    await page.getByRole('button', { name: '$1000', exact: true }).click()
    const submit = page.getByRole('button', { name: 'Top Up Now' })
    for (const [fault, words] of [
      [{ kind: 'error', message: 'Currency not supported' }, 'Payment error: Currency not supported'],
      [{ kind: 'no_payment_url', message: '' }, 'Failed to create payment invoice. Try again.'],
      [{ kind: 'no_payment_url', message: 'Try USDT' }, 'Try USDT'],
      [{ kind: 'garbage' }, 'Payment initiation failed. Please try again.'],
    ] as const) {
      await provider.set({ create: { ...fault, times: 1 } })
      await submit.click()
      await expect(page.getByRole('alert')).toHaveText(words)
      await expect(submit).toBeEnabled()
    }
    await submit.click()
    await page.waitForURL(/\/pay\/\d+$/)
  })

  test('a response without a payment URL shows an error', async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/topup')
    await page.getByRole('button', { name: '$1000', exact: true }).click()
    for (const payment_url of ['', 'javascript:alert(1)']) {
      await page.route('**/api/topup', (route) => route.fulfill({ json: { payment_url } }))
      // The message of the first attempt is still visible.
      const answered = page.waitForResponse('**/api/topup')
      await page.getByRole('button', { name: 'Top Up Now' }).click()
      await answered
      await expect(page.getByRole('alert')).toHaveText('Failed to create payment invoice. Try again.')
      await page.unroute('**/api/topup')
    }
    const { answer } = await heldAnswer(page, '**/api/topup', (route) => route.abort())
    await page.getByRole('button', { name: 'Top Up Now' }).click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    answer()
    await expect(page.getByRole('alert')).toHaveText('Payment initiation failed. Please try again.')
  })
})

test.describe('choosing an amount', () => {
  test.beforeEach(async ({ page, newcomer }) => {
    await signIn(page, newcomer, '/dashboard/topup')
  })

  test('presets are selected, changed and cleared', async ({ page }) => {
    const preset = (name: string) => page.getByRole('button', { name, exact: true })
    const submit = page.getByRole('button', { name: 'Top Up Now' })
    await expect(submit).toBeDisabled()
    for (const name of ['$1000', '$2000', '$5000', '$7000', '$10000']) {
      await preset(name).click()
      await expect(page.locator('[aria-pressed="true"]')).toHaveText([name])
      await expect(page.getByRole('region', { name: 'Summary' })).toContainText(`You pay${name}.00`)
    }
    for (const name of ['$10', '$25', '$50', '$100', '$250']) {
      await preset(name).click()
      await expect(page.locator('[aria-pressed="true"]')).toHaveText([name])
      await expect(page.getByRole('region', { name: 'Summary' })).toContainText(`You pay${name}.00`)
    }
    await preset('$10000').click()
    await preset('$10000').press('Space')
    await expect(page.locator('[aria-pressed="true"]')).toHaveCount(0)
    await expect(submit).toBeDisabled()
  })

  test('another amount must be above 0 and at most 10000, otherwise nothing is selected', async ({
    page,
  }) => {
    const other = page.getByLabel('Other Amount')
    const submit = page.getByRole('button', { name: 'Top Up Now' })
    await expect(other).toHaveAttribute('min', '0.01')
    await expect(other).toHaveAttribute('max', '10000')
    await expect(other).toHaveAttribute('step', '0.01')
    await page.getByRole('button', { name: '$5000', exact: true }).click()
    await other.fill('10000.01')
    await expect(page.locator('[aria-pressed="true"]')).toHaveCount(0)
    await expect(submit).toBeDisabled()
    await expect(other).toHaveAccessibleDescription(/at most \$10000/)
    for (const [typed, allowed] of [
      ['0', false],
      ['0.01', true],
      ['-1', false],
      ['10000', true],
      ['1.005', false],
      ['25.5', true],
    ] as const) {
      await other.fill(typed)
      await expect(submit).toBeEnabled({ enabled: allowed })
    }
    await expect(page.getByRole('region', { name: 'Summary' })).toContainText('You pay$25.50')
    await page.getByRole('button', { name: '$1000', exact: true }).click()
    await expect(other).toHaveValue('')
  })

  test('a user who stays on the page can try again', async ({ page, visited }) => {
    // A response without content leaves the page as it is.
    visited.add('https://pay.example')
    await page.route('https://pay.example/**', (route) => route.fulfill({ status: 204 }))
    await page.route('**/api/topup', (route) =>
      route.fulfill({ json: { payment_url: 'https://pay.example/1', invoice: {} } }),
    )
    await page.getByRole('button', { name: '$10', exact: true }).click()
    await page.getByRole('button', { name: 'Top Up Now' }).click()
    await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Top Up Now' })).toBeEnabled()
  })

  test('a missing amount shows the specified message', async ({ page }) => {
    await page.getByLabel('Other Amount').press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Please select or enter an amount.')
    await page.getByRole('button', { name: '$1000', exact: true }).click()
    await expect(page.getByRole('alert')).toBeHidden()
  })
})
