import { brotliCompressSync, constants } from 'node:zlib'
import { messages } from '@trunkline/contract/messages'
import { expect, signIn, test } from '../support/story.ts'

/** 75% of what jambonz-webapp loads for its login page. */
const MAX_BYTES = 133_000

test('the login page loads at most 133 kB of script and style, compressed', async ({ page }) => {
  const weighed: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (!['script', 'stylesheet'].includes(request.resourceType())) return
    weighed.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    )
  })
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(weighed.length).toBeGreaterThan(2)
  const loaded = (await Promise.all(weighed)).reduce((sum, bytes) => sum + bytes, 0)
  // The styles are in the page, which the server compresses at this quality.
  const styles = (await page.locator('head style').first().textContent()) ?? ''
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const inPage = brotliCompressSync(styles, { params }).length
  expect(inPage).toBeGreaterThan(10_000)
  const total = loaded + inPage
  test.info().annotations.push({ type: 'bytes', description: String(total) })
  expect(total).toBeLessThanOrEqual(MAX_BYTES)
})

test('hashed files are compressed and cached forever, the page is never cached', async ({
  page,
  request,
}) => {
  const html = await (await request.get('/login')).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  for (const encoding of ['br', 'gzip']) {
    const answer = await request.get(script, { headers: { 'accept-encoding': encoding } })
    expect(answer.headers()).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    // The policy of the page applies to its scripts.
    expect(answer.headers()).not.toHaveProperty('content-security-policy')
  }
  const answer = await page.goto('/login')
  expect(answer?.headers()['cache-control']).toBe('no-store')
})

test('HEAD answers like GET for the page of a screen', async ({ request }) => {
  for (const path of ['/', '/login', '/dashboard', '/admin-panal/users']) {
    const answer = await request.head(path)
    expect(answer.status()).toBe(200)
    expect(answer.headers()['content-security-policy']).toContain("script-src 'self' 'sha256-")
  }
})

test('Home starts all of its scripts at once and checks the session only once', async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Account Balance' })).toBeVisible()
  const preloaded = await page.locator('link[rel=modulepreload]').count()
  expect(preloaded).toBeGreaterThan(5)
  // The entry, its preloads and the code of the charts.
  expect(asked.filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(preloaded + 4)
  expect(asked.filter((path) => path === '/api/auth/verify')).toHaveLength(1)
})

test('a loading screen is shown before any script has arrived', async ({ page, newcomer }) => {
  await signIn(page, newcomer)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Loading...' })).toBeVisible()
  await page.goto('/admin-panal')
  await expect(page.getByRole('heading', { name: messages.checkingAdmin })).toBeVisible()
})

test('the API can be read in the browser', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByText('/api/auth/login').first()).toBeVisible()
})
