import {
  bearerOf,
  CALLER_ID,
  demo,
  expect,
  LONDON,
  placeCall,
  routeOf,
  signIn,
  test,
} from '../support/calls.ts'

test('a new account is led to its first call, step by step', async ({ page, request, newcomer }) => {
  await signIn(page, newcomer)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('0 of 5 done')
  const volume = page.getByRole('region', { name: 'Call Volume (24h)' })
  await expect(volume).toContainText('Example')
  await expect(page.getByRole('table', { name: 'Example of Call Volume (24h)' })).toBeAttached()
  const done = (name: string) => steps.getByRole('listitem').filter({ hasText: name }).getByLabel('Done:')

  await steps.getByRole('link', { name: /Set your Caller ID/ }).click()
  await page.getByRole('region', { name: 'Caller ID' }).getByRole('textbox').fill(CALLER_ID)
  await page.keyboard.press('Enter')
  await expect(done('Set your Caller ID')).toBeVisible()
  await expect(steps).toContainText('1 of 5 done')

  const headers = await bearerOf(request, newcomer)
  const data = { route_id: await routeOf(request, headers, 'GB', 'Gold CLI') }
  expect((await request.post('/api/user-selected-route', { headers, data })).ok()).toBe(true)
  await steps.getByRole('link', { name: /Pick a route/ }).click()
  await expect(page.getByRole('heading', { name: 'Trunks Management' })).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).click()
  await expect(done('Pick a route')).toBeVisible()

  const { user } = await (await request.get('/api/auth/me', { headers })).json()
  const gift = { user_id: user.id, amount: 5, reason: 'a gift', request_key: `gift-${newcomer.username}` }
  const admin = await bearerOf(request, demo.admin)
  expect((await request.post('/api/admin/balance-adjustments', { headers: admin, data: gift })).ok()).toBe(
    true,
  )
  await page.getByRole('button', { name: 'Refresh Balance' }).click()
  await expect(done('Top up')).toBeVisible()

  await steps.getByRole('button', { name: /Connect a phone/ }).click()
  await expect(page.getByRole('dialog', { name: 'Connect a phone' })).toBeVisible()
  await page.keyboard.press('Escape')
  await placeCall(request, newcomer.username, { talkMs: 1_000 })

  const ready = page.getByRole('region', { name: 'You are ready to call' })
  await expect(ready).toBeVisible()
  await ready.getByRole('button', { name: 'Dismiss' }).click()
  await expect(ready).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Quick Actions' })).toBeVisible()
  await expect(ready).toHaveCount(0)
  await expect(volume).toContainText('1 call')
  await expect(volume).not.toContainText('Example')
})

test('an account that has made calls does not see the first steps', async ({ page, caller, callEnds }) => {
  await callEnds({ to: LONDON })
  await signIn(page, caller)
  await expect(page.getByRole('table', { name: 'Monthly Usage' })).toBeAttached()
  await expect(page.getByText(/First steps|ready to call/)).toHaveCount(0)
})
