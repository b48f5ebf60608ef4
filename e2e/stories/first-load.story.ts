import { expect, test } from '../support/story.ts'

/** Three quarters of what jambonz-webapp loads before its login page. */
const MOST_BYTES = 133_000

test('the login page loads at most 133 kB of script and style, compressed', async ({ page }) => {
  const sizes: Array<{ url: string; bytes: number }> = []
  page.on('requestfinished', async (request) => {
    if (!['script', 'stylesheet'].includes(request.resourceType())) return
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    sizes.push({ url: request.url(), bytes: responseBodySize + responseHeadersSize })
  })
  await page.goto('/login')
  await page.waitForLoadState('networkidle')
  expect(sizes.length).toBeGreaterThan(2)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  test.info().annotations.push({ type: 'bytes', description: String(total) })
  expect(total).toBeLessThanOrEqual(MOST_BYTES)
})

test('hashed files are compressed and kept for ever, the page never', async ({ page, request }) => {
  const html = await (await request.get('/login')).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  for (const encoding of ['br', 'gzip']) {
    const answer = await request.get(script, { headers: { 'accept-encoding': encoding } })
    expect(answer.headers()).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
  const answer = await page.goto('/login')
  expect(answer?.headers()['cache-control']).toBe('no-store')
})

test('the API can be read in the browser', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByText('/api/auth/login').first()).toBeVisible()
})
