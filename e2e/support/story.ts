import { randomBytes } from 'node:crypto'
import { type APIRequestContext, test as base, expect, type Page, type Route } from '@playwright/test'

export { expect }

export type Person = { username: string; password: string }

export const demo = {
  admin: { username: 'admin', password: 'trunkline-admin' },
  alice: { username: 'alice', password: 'trunkline-alice' },
  paula: { username: 'paula', password: 'trunkline-paula' },
} satisfies Record<string, Person>

type Story = {
  baseURL: string
  /** A newly registered customer. */
  newcomer: Person
  /** A second browser, for somebody else. */
  otherPage: Page
  /** Other origins that the story visits, such as the payment page. */
  visited: Set<string>
  /** Fails the story if the page violates the content security policy, requests a foreign origin or throws. */
  noComplaints: undefined
}

export async function signUp(request: APIRequestContext, prefix = 'u'): Promise<Person> {
  const person = { username: `${prefix}${randomBytes(5).toString('hex')}`, password: 'long enough' }
  const answer = await request.post('/register', { data: person })
  expect(answer.ok()).toBe(true)
  return person
}

export const test = base.extend<Story>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  baseURL: async ({}, use) => use(process.env.TRUNKLINE_STORY_URL ?? ''),

  newcomer: async ({ request }, use) => use(await signUp(request)),

  otherPage: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL })
    await use(await context.newPage())
    await context.close()
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
  visited: async ({}, use) => use(new Set()),

  noComplaints: [
    async ({ page, baseURL, visited }, use, info) => {
      const complaints: string[] = []
      const refused: string[] = []
      const asked = new Set<string>()
      page.on('console', (message) => {
        if (/Content.Security.Policy|violates/i.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(baseURL) && !/^(data|blob):/.test(url)) asked.add(url)
      })
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
      })
      await use(undefined)
      if (info.status !== info.expectedStatus) await describePage(page, refused)
      // Drops responses that are still held when the story ends.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const foreign = [...asked].filter((url) => !visited.has(new URL(url).origin))
      expect([...complaints, ...foreign.map((url) => `foreign: ${url}`)]).toEqual([])
    },
    { auto: true },
  ],
})

/** Prints what a failed story shows. The summary of the tests repeats it. */
async function describePage(page: Page, refused: string[]): Promise<void> {
  const shown = (role: 'alert' | 'dialog' | 'status') => page.getByRole(role).allInnerTexts()
  const texts = await Promise.all([shown('alert'), shown('dialog'), shown('status')]).catch(() => [])
  process.stdout.write(
    `${page.url()} shows ${JSON.stringify(texts.flat())}, refused ${JSON.stringify(refused)}\n`,
  )
}

export async function fillSignIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** Sends the sign-in form of the page. */
export async function submitSignIn(page: Page, person: Person): Promise<void> {
  await fillSignIn(page, person)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Signs in with the form. */
export async function signInByHand(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  await submitSignIn(page, person)
  await page.waitForURL(/\/(dashboard|admin-panal)$/)
}

/** Signs in without the form and opens `path`, or the default page after sign-in. */
export async function signIn(page: Page, person: Person, path?: string): Promise<void> {
  const answer = await page.request.post('/api/auth/login', { data: person })
  expect(answer.ok(), `sign-in of ${person.username}`).toBe(true)
  const { token, user } = await answer.json()
  // Any small file of the portal: local storage belongs to an origin.
  await page.goto('/favicon.svg')
  await page.evaluate((given) => localStorage.setItem('token', given), token)
  await page.goto(path ?? (user.is_admin ? '/admin-panal' : '/dashboard'))
}

/**
 * Delays the response of this address until the story has checked the loading state. `answer` can be called at any time,
 * even before the request.
 */
export async function heldAnswer(
  page: Page,
  url: Parameters<Page['route']>[0],
  respond: (route: Route) => Promise<unknown> = (route) => route.continue(),
): Promise<{ asked: Promise<void>; answer(): void }> {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    asked.resolve()
    await held.promise
    await respond(route)
  })
  return { asked: asked.promise, answer: held.resolve }
}
