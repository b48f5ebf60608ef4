import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { chromiumOptions } from '../e2e/support/browser.ts'
import { nextPorts } from '../launcher/test/ports.ts'

const VERSION = '13.5.0'

/** Not among the packages of Trunkline: it needs 180 MB, which only this benchmark uses. */
const folder = fileURLToPath(new URL('../node_modules/.cache/lighthouse/', import.meta.url))

/** Scores from 0 to 100, and times in milliseconds as simulated for Lighthouse's mid-range phone. */
export type Scores = {
  performance: number
  accessibility: number
  practices: number
  seo: number
  largestPaint: number
  blocked: number
  /** Audits of accessibility, practices and search that failed. */
  faults: string[]
}

type Result = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number }>
  runtimeError?: { message: string }
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Result } | undefined>

/** Without the performance, the scores do not depend on the load of the machine, and a page takes seconds instead of a minute. */
const quick = {
  onlyCategories: ['accessibility', 'best-practices', 'seo'],
  throttlingMethod: 'provided',
  // The stream of live calls never ends.
  maxWaitForLoad: 12_000,
}

/** Calls `use` with a function that opens a page in an empty browser and measures it. */
export async function withLighthouse(
  isQuick: boolean,
  use: (measure: (url: string, token: string | null) => Promise<Scores>) => Promise<void>,
): Promise<void> {
  const lighthouse = await loadLighthouse()
  await use(async (url, token) => {
    const profile = await mkdtemp(join(tmpdir(), 'trunkline-lighthouse-'))
    const port = nextPorts(1)
    const context = await chromium.launchPersistentContext(profile, {
      ...chromiumOptions,
      args: [...(chromiumOptions.args ?? []), `--remote-debugging-port=${port}`],
    })
    try {
      if (token) await storeToken(context, new URL(url).origin, token)
      const result = await lighthouse(url, {
        port,
        logLevel: 'error',
        output: 'json',
        ...(isQuick && quick),
      })
      if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? url)
      return scoresOf(result.lhr)
    } finally {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    }
  })
}

type Context = Awaited<ReturnType<typeof chromium.launchPersistentContext>>

/** Lighthouse empties the cache and keeps the local storage. */
async function storeToken(context: Context, origin: string, token: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${origin}/api/health`)
  await page.evaluate(`localStorage.setItem('token', '${token}')`)
  await page.close()
}

function scoresOf({ categories, audits }: Result): Scores {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? 0
  const faults = ['accessibility', 'best-practices', 'seo'].flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  )
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    seo: score('seo'),
    largestPaint: value('largest-contentful-paint'),
    blocked: value('total-blocking-time'),
    faults,
  }
}

async function loadLighthouse(): Promise<Lighthouse> {
  const entry = join(folder, 'node_modules/lighthouse/core/index.js')
  if (!existsSync(entry)) {
    await mkdir(folder, { recursive: true })
    const wanted = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']
    const { status } = spawnSync('npm', [...wanted, `lighthouse@${VERSION}`], { stdio: 'inherit' })
    if (status !== 0) throw new Error('npm could not install Lighthouse')
  }
  const module = (await import(pathToFileURL(entry).href)) as { default: Lighthouse }
  return module.default
}
