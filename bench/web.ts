import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../e2e/support/browser.ts'
import { startPortalProcess } from '../e2e/support/portal-process.ts'
import { demo, screens } from '../e2e/support/screens.ts'
import { builtWeb } from '../server/src/app/web.ts'
import { type Scores, withLighthouse } from './lighthouse.ts'
import { conditions, type Load, measureBytes, measureLoad } from './web-page.ts'

/** Transfer size of the screens, load times of five of them in Chromium, and Lighthouse on all. See README.md. */

const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const LIGHTHOUSE_RUNS = Number(process.env.BENCH_LIGHTHOUSE_RUNS ?? 3)
const WHOLE_APP_AIM_KB = 400
const LONGEST_TASK_AIM_MS = 200

const parts = process.argv.slice(2)
type Part = 'bytes' | 'loads' | 'lighthouse'
const isWanted = (part: Part) => parts.length === 0 || parts.includes(part)

const data = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const portal = await startPortalProcess(data)
const browser = await openBrowser()
try {
  const tokens = new Map<string, string>()
  for (const person of Object.values(demo)) tokens.set(person.username, await tokenOf(person))
  if (isWanted('bytes')) await printBytes(tokens)
  if (isWanted('loads')) await printLoads(tokens.get('alice') ?? '', tokens.get('admin') ?? '')
  if (isWanted('lighthouse')) await printLighthouse(tokens)
  // On a busy machine: the scores of Lighthouse that do not depend on time.
  if (parts.includes('scores')) await printScores(tokens)
} finally {
  await browser.close()
  await portal.stop()
  await rm(data, { recursive: true, force: true })
}

async function printBytes(tokens: Map<string, string>): Promise<void> {
  console.log('compressed page, scripts and styles in kB with an empty cache; ratio to /login\n')
  console.log(line('', ['page', 'script', 'style', 'all', 'ratio']))
  const measured: [path: string, bytes: number[]][] = []
  for (const [path, token] of await pathsOf(tokens)) {
    const { document, script, stylesheet } = await measureBytes(browser, portal.url + path, token)
    measured.push([path, [document, script, stylesheet, document + script + stylesheet]])
  }
  const allOf = (bytes: number[]) => bytes.at(-1) ?? 0
  const login = allOf(measured.find(([path]) => path === '/login')?.[1] ?? [])
  for (const [path, bytes] of measured) {
    const figures = bytes.map((count) => (count / 1_000).toFixed(1))
    console.log(line(path, [...figures, (allOf(bytes) / login).toFixed(2)]))
  }
  await printWholeApp()
}

/** Every path once, with the token of its user. */
async function pathsOf(tokens: Map<string, string>): Promise<Map<string, string | null>> {
  const paths = new Map<string, string | null>()
  for (const { path, by } of screens)
    paths.set(path.split('?')[0] ?? '', by ? (tokens.get(by.username) ?? null) : null)
  const alice = tokens.get('alice') ?? ''
  const { flows } = (await read('/api/flows', alice)) as { flows: { id: number }[] }
  for (const { id } of flows.slice(0, 1)) paths.set(`/dashboard/flows/${id}`, alice)
  return paths
}

async function printWholeApp(): Promise<void> {
  const files = (await readdir(join(builtWeb, 'assets'))).filter((name) => name.endsWith('.js.br'))
  const sizes = await Promise.all(
    files.map(async (name) => (await stat(join(builtWeb, 'assets', name))).size),
  )
  const whole = sizes.reduce((sum, size) => sum + size, 0) / 1_000
  console.log(
    `\nwhole app: ${whole.toFixed(0)} kB of compressed scripts in ${files.length} files (aim: ${WHOLE_APP_AIM_KB} kB)`,
  )
}

/** Medians. The aims are for a quiet machine. */
async function printLighthouse(tokens: Map<string, string>): Promise<void> {
  console.log(`\nLighthouse, simulated slow phone: median of ${LIGHTHOUSE_RUNS}\n`)
  console.log(line('', ['performance', 'aim', 'access', 'practices', 'search', 'largest', 'blocked']))
  // Before Lighthouse is installed, which takes so long that the server closes the connection.
  const paths = await pathsOf(tokens)
  await withLighthouse(false, async (measure) => {
    for (const [path, token] of paths) {
      const runs: Scores[] = []
      for (let run = 0; run < LIGHTHOUSE_RUNS; run++) runs.push(await measure(portal.url + path, token))
      const middle = (name: Exclude<keyof Scores, 'faults'>) =>
        String(Math.round(middleOf(runs.map((scores) => scores[name]))))
      const aim = token === null ? '97' : '90'
      const names = ['accessibility', 'practices', 'seo', 'largestPaint', 'blocked'] as const
      const faults = new Set(runs.flatMap((scores) => scores.faults))
      console.log(line(path, [middle('performance'), aim, ...names.map(middle)]), ...faults)
    }
  })
}

/** One run, because these scores do not vary. */
async function printScores(tokens: Map<string, string>): Promise<void> {
  console.log('\nLighthouse without performance\n')
  console.log(line('', ['access', 'practices', 'search']))
  const paths = await pathsOf(tokens)
  await withLighthouse(true, async (measure) => {
    for (const [path, token] of paths) {
      const { accessibility, practices, seo, faults } = await measure(portal.url + path, token)
      console.log(line(path, [accessibility, practices, seo].map(String)), ...faults)
    }
  })
}

/** The first aim is for the largest paint on a slow phone, the second for the longest task of Home there. */
async function printLoads(customer: string, admin: string): Promise<void> {
  const pages = [
    ['bare text by the same server', '/api/health', null, null],
    ['/', '/', null, 1_200],
    ['/login', '/login', null, 1_400],
    ['Home', '/dashboard', customer, 2_000],
    ['CDR Report', '/dashboard/cdr-report', customer, 2_100],
    ['admin panel', '/admin-panal', admin, 2_400],
  ] as const
  for (const condition of conditions) {
    console.log(
      `\ncold load, ${condition.name}: median of ${RUNS} in ms; ratio of the largest contentful paints`,
    )
    console.log(
      line('', ['first', 'largest', 'aim', 'blocked', 'longest', 'aim', 'requests', 'shift', 'ratio']),
    )
    let bare = 0
    for (const [name, path, by, aim] of pages) {
      const load = await median(() => measureLoad(browser, portal.url + path, by, condition))
      bare ||= load.largestPaint
      const whole = (...figures: number[]) => figures.map((figure) => String(Math.round(figure)))
      console.log(
        line(name, [
          ...whole(load.firstPaint, load.largestPaint),
          condition.cpu > 1 && aim ? String(aim) : '',
          ...whole(load.blocked, load.longestTask),
          condition.cpu > 1 && name === 'Home' ? String(LONGEST_TASK_AIM_MS) : '',
          ...whole(load.requests),
          load.layoutShift.toFixed(4),
          (load.largestPaint / bare).toFixed(2),
        ]),
      )
    }
  }
}

/** The median of each metric. */
async function median(measure: () => Promise<Load>): Promise<Load> {
  const loads: Load[] = []
  for (let run = 0; run < RUNS; run++) loads.push(await measure())
  const middle = (name: keyof Load) => middleOf(loads.map((load) => load[name]))
  return {
    firstPaint: middle('firstPaint'),
    largestPaint: middle('largestPaint'),
    interactive: middle('interactive'),
    blocked: middle('blocked'),
    longestTask: middle('longestTask'),
    requests: middle('requests'),
    layoutShift: middle('layoutShift'),
  }
}

function middleOf(figures: number[]): number {
  return figures.sort((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0
}

function line(name: string, figures: string[]): string {
  return `  ${name.padEnd(30)}${figures.map((figure) => figure.padStart(12)).join('')}`
}

async function read(path: string, token: string): Promise<unknown> {
  const answer = await fetch(portal.url + path, { headers: { authorization: `Bearer ${token}` } })
  return answer.json()
}

async function tokenOf(person: { username: string; password: string }): Promise<string> {
  const answer = await fetch(`${portal.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  const { token } = (await answer.json()) as { token: string }
  return token
}
