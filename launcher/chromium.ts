import { existsSync } from 'node:fs'
import { ensurePrograms, type Program } from './debian.ts'
import { pathOf } from './programs.ts'
import { UserError } from './user-error.ts'

/** The headless shell runs the stories in two thirds of the time. */
const SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']

/** Returns TRUNKLINE_CHROMIUM, Debian's headless shell (installed if apt is allowed) or an installed browser, in this order. */
export async function ensureChromium(): Promise<string> {
  const named = process.env.TRUNKLINE_CHROMIUM
  if (named && existsSync(named)) return named
  return (
    pathOf(SHELL) ??
    (await install(SHELL)) ??
    BROWSERS.map(pathOf).find((path) => path !== null) ??
    (await install('chromium')) ??
    failWithoutChromium()
  )
}

/** The browser that `ensureChromium` would install. */
export const missingChromium = (): Program[] =>
  process.env.TRUNKLINE_CHROMIUM || pathOf(SHELL) !== null ? [] : [SHELL]

/** Returns null if apt cannot install the package, so that the caller can try another one. */
async function install(program: Program): Promise<string | null> {
  try {
    await ensurePrograms([program])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  return pathOf(program)
}

function failWithoutChromium(): never {
  throw new UserError(
    `The browser tests need Chromium. Run "apt-get install ${SHELL}" as root, then try again.`,
  )
}
