import type { openBrowser } from '../e2e/support/browser.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Context = Awaited<ReturnType<Browser['newContext']>>
type Page = Awaited<ReturnType<Context['newPage']>>

/** Performance metrics of a first load, in milliseconds since navigation start. */
export type Load = {
  firstPaint: number
  largestPaint: number
  /** End of the last long task, at least the first paint. */
  interactive: number
  /** Total blocking time: the part above 50 ms of every long task. */
  blocked: number
  longestTask: number
  layoutShift: number
  requests: number
}

type Seen = Load & { lastAt: number; now: number }

/** No throttling, or Lighthouse's mid-range phone on a slow mobile network. */
export type Conditions = {
  name: string
  cpu: number
  network: object | null
  viewport: { width: number; height: number }
}
export const conditions: readonly Conditions[] = [
  { name: 'as it is', cpu: 1, network: null, viewport: { width: 1280, height: 800 } },
  {
    name: 'slow phone',
    cpu: 4,
    network: { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 },
    viewport: { width: 412, height: 823 },
  },
]

/** The load is complete after this time without paint, layout shift or long task. */
const QUIET_MS = 2_000
const LONGEST_MS = 60_000

/** Runs in the page before any other script. */
const observer = `
  const seen = { firstPaint: 0, largestPaint: 0, interactive: 0, blocked: 0, longestTask: 0, layoutShift: 0, lastAt: 0 }
  globalThis.seenOfLoad = seen
  const watch = (type, note) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry)
      seen.lastAt = performance.now()
    }).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.firstPaint = startTime })
  watch('largest-contentful-paint', ({ startTime }) => { seen.largestPaint = startTime })
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.layoutShift += value })
  watch('longtask', ({ startTime, duration }) => {
    seen.interactive = Math.max(seen.interactive, startTime + duration)
    seen.blocked += Math.max(0, duration - 50)
    seen.longestTask = Math.max(seen.longestTask, duration)
  })`

export async function measureLoad(
  browser: Browser,
  url: string,
  token: string | null,
  { cpu, network, viewport }: Conditions,
): Promise<Load> {
  const context = await openContext(browser, token, viewport)
  await context.addInitScript(observer)
  const page = await context.newPage()
  let requests = 0
  page.on('request', () => requests++)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (network) await cdp.send('Network.emulateNetworkConditions', network as never)
  await page.goto(url)
  const seen = await untilLoaded(page)
  await context.close()
  return { ...seen, requests, interactive: Math.max(seen.interactive, seen.firstPaint) }
}

async function untilLoaded(page: Page): Promise<Load> {
  for (const began = Date.now(); Date.now() - began < LONGEST_MS; await page.waitForTimeout(200)) {
    const seen = (await page.evaluate('({ ...seenOfLoad, now: performance.now() })')) as Seen
    if (seen.largestPaint > 0 && seen.now - seen.lastAt > QUIET_MS) return seen
  }
  throw new Error(`${page.url()} did not become idle`)
}

/** Compressed bytes of the page, scripts and styles that a screen loads with an empty cache. Public screens have their styles in the page. */
export async function measureBytes(browser: Browser, url: string, token: string | null) {
  const context = await openContext(browser, token)
  const page = await context.newPage()
  const bytes = { document: 0, script: 0, stylesheet: 0 }
  const counting: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    const type = request.resourceType()
    if (type !== 'document' && type !== 'script' && type !== 'stylesheet') return
    counting.push(
      request.sizes().then(({ responseBodySize }) => {
        bytes[type] += responseBodySize
      }),
    )
  })
  await page.goto(url)
  await untilQuiet(page, () => counting.length)
  await Promise.all(counting)
  await context.close()
  return bytes
}

async function untilQuiet(page: Page, count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count()
    await page.waitForTimeout(QUIET_MS)
  }
}

async function openContext(
  browser: Browser,
  token: string | null,
  viewport = { width: 1280, height: 800 },
): Promise<Context> {
  const context = await browser.newContext({ viewport })
  if (token) await context.addInitScript(`localStorage.setItem('token', '${token}')`)
  return context
}
