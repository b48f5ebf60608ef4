import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, request } from '@playwright/test'
import { openBrowser, withMicrophone } from './support/browser.ts'
import { bearerOf } from './support/payments.ts'
import { startPortalProcess } from './support/portal-process.ts'
import { type Screen, screens } from './support/screens.ts'

/** Takes the screenshots of docs/screens at desktop and phone width. See docs/screens/README.md. */

const { SCREENS_FOLDER, SCREENS_THEME, SCREENS_URL } = process.env
const folder = SCREENS_FOLDER ?? fileURLToPath(new URL('../docs/screens/', import.meta.url))
const sizes = [
  { width: 1280, height: 800, ending: '' },
  { width: 390, height: 844, ending: '-phone' },
  ...(process.env.SCREENS_WIDE ? [{ width: 1920, height: 1080, ending: '-wide' }] : []),
]
/** Time for data, charts and fonts to load. Event streams never end, so there is no network idle to wait for. */
const SETTLED_MS = 1_500
const LOADED_WITHIN_MS = 20_000

const wanted = process.argv.slice(2)
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const tokens = new Map<string, string>()

const data = await mkdtemp(join(tmpdir(), 'trunkline-screens-'))
const portal = SCREENS_URL
  ? null
  : await startPortalProcess(data, undefined, { SANDBOX_TRAFFIC: '', TRUNKLINE_SWITCH: '', SIP_PORT: '' })
const baseURL = SCREENS_URL ?? portal?.url ?? ''
const browser = await openBrowser(withMicrophone)
try {
  await mkdir(folder, { recursive: true })
  for (const screen of chosen) for (const size of sizes) await take(screen, size)
} finally {
  await browser.close()
  await portal?.stop()
  await rm(data, { recursive: true, force: true })
}

async function take(screen: Screen, { width, height, ending }: (typeof sizes)[number]): Promise<void> {
  const viewport = { width, height }
  const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
  const token = screen.by && (await tokenOf(screen.by))
  await context.addInitScript(
    `${token ? `localStorage.setItem('token', '${token}')` : ''}
     ${SCREENS_THEME ? `for (const key of ['theme', 'portal-theme']) localStorage.setItem(key, '${SCREENS_THEME}')` : ''}`,
  )
  const page = await context.newPage()
  await page.goto(screen.path)
  await settle(page)
  if (screen.open) {
    await screen.open(page)
    await settle(page)
  }
  await page.screenshot({ path: join(folder, `${screen.name}${ending}.png`) })
  await context.close()
}

/** On a busy machine, data takes longer. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForTimeout(SETTLED_MS)
  await page
    .locator('[aria-busy=true]')
    .first()
    .waitFor({ state: 'detached', timeout: LOADED_WITHIN_MS })
    .catch(() => {})
  await page.waitForTimeout(SETTLED_MS / 3)
}

/** One session per user. */
async function tokenOf(person: { username: string; password: string }): Promise<string> {
  const known = tokens.get(person.username)
  if (known) return known
  const api = await request.newContext({ baseURL })
  const token = (await bearerOf(api, person)).authorization.replace('Bearer ', '')
  await api.dispose()
  tokens.set(person.username, token)
  return token
}
