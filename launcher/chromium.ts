import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Complaint } from './complaint.ts'

/** The same engine without a browser's windows around it: stories take two thirds of the time. */
const SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser for the tests: the one named, Debian's shell, fetched where apt may be used, or a browser that is installed. */
export async function ensureChromium(): Promise<string> {
  const named = process.env.TRUNKLINE_CHROMIUM
  if (named && existsSync(named)) return named
  const found = placeOf(SHELL) ?? install(SHELL) ?? firstOf(BROWSERS) ?? install('chromium')
  if (found) return found
  throw new Complaint(
    `The browser tests need Chromium: run "apt-get install ${SHELL}" as root, then try again.`,
  )
}

function placeOf(name: string): string | undefined {
  const place = `/usr/bin/${name}`
  return existsSync(place) ? place : undefined
}

const firstOf = (names: string[]) => names.map(placeOf).find((place) => place !== undefined)

function install(name: string): string | undefined {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return undefined
  const apt = (...args: string[]) => {
    const [program = '', ...rest] = [...(isRoot ? [] : ['sudo', '-n']), 'apt-get', '-q', ...args]
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    return spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: environment }).status === 0
  }
  process.stderr.write(`Installing ${name} for the browser tests ...\n`)
  if (!apt('update') || !apt('install', '-y', '--no-install-recommends', name)) return undefined
  return placeOf(name)
}
