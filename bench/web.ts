import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../e2e/support/browser.ts'
import { startPortalProcess } from '../e2e/support/portal-process.ts'
import { demo, screens } from '../e2e/support/screens.ts'
import { conditions, type Load, measureBytes, measureLoad } from './web-page.ts'

/** Transfer size of the screens and load times of five of them in Chromium. See README.md. */

const RUNS = Number(process.env.BENCH_RUNS ?? 5)

const data = await mkdtemp(join(tmpdir(), 'trunkline-bench-'))
const portal = await startPortalProcess(data)
const browser = await openBrowser()
try {
  const tokens = new Map<string, string>()
  for (const person of Object.values(demo)) tokens.set(person.username, await tokenOf(person))
  await printBytes(tokens)
  await printLoads(tokens.get('alice') ?? '', tokens.get('admin') ?? '')
} finally {
  await browser.close()
  await portal.stop()
  await rm(data, { recursive: true, force: true })
}

async function printBytes(tokens: Map<string, string>): Promise<void> {
  console.log('compressed scripts and styles in kB with an empty cache; ratio to /login\n')
  console.log(line('', ['script', 'style', 'both', 'ratio']))
  const paths = new Map(screens.map(({ path, by }) => [path.split('?')[0] ?? '', by]))
  const measured: [path: string, script: number, style: number][] = []
  for (const [path, by] of paths) {
    const { script, stylesheet } = await measureBytes(
      browser,
      portal.url + path,
      by ? (tokens.get(by.username) ?? null) : null,
    )
    measured.push([path, script, stylesheet])
  }
  const [, script = 0, style = 0] = measured.find(([path]) => path === '/login') ?? []
  for (const [path, scripts, styles] of measured) {
    const figures = [scripts, styles, scripts + styles].map((bytes) => (bytes / 1_000).toFixed(1))
    console.log(line(path, [...figures, ((scripts + styles) / (script + style)).toFixed(2)]))
  }
}

/** The last column is the aim for the largest paint on a slow phone. */
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
    console.log(line('', ['first', 'largest', 'aim', 'blocked', 'longest', 'requests', 'shift', 'ratio']))
    let bare = 0
    for (const [name, path, by, aim] of pages) {
      const load = await median(() => measureLoad(browser, portal.url + path, by, condition))
      bare ||= load.largestPaint
      const whole = (...figures: number[]) => figures.map((figure) => String(Math.round(figure)))
      console.log(
        line(name, [
          ...whole(load.firstPaint, load.largestPaint),
          condition.cpu > 1 && aim ? String(aim) : '',
          ...whole(load.blocked, load.longestTask, load.requests),
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
  const middle = (name: keyof Load) =>
    loads.map((load) => load[name]).sort((left, right) => left - right)[Math.floor(RUNS / 2)] ?? 0
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

function line(name: string, figures: string[]): string {
  return `  ${name.padEnd(30)}${figures.map((figure) => figure.padStart(12)).join('')}`
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
