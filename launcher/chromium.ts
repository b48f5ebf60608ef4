import { existsSync } from 'node:fs'
import { ensurePrograms, type Program } from './debian.ts'
import { placeOf } from './programs.ts'
import { UserError } from './user-error.ts'

/** The same engine without a browser's windows around it: stories take two thirds of the time. */
const SHELL = 'chromium-headless-shell'
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser for the tests: the one named, Debian's shell, fetched where apt may be used, or a browser that is installed. */
export function ensureChromium(): string {
  const named = process.env.TRUNKLINE_CHROMIUM
  if (named && existsSync(named)) return named
  return (
    placeOf(SHELL) ??
    install(SHELL) ??
    BROWSERS.map(placeOf).find((place) => place !== null) ??
    install('chromium') ??
    complain()
  )
}

/** Tries the second package when apt cannot install the first. */
function install(program: Program): string | null {
  try {
    ensurePrograms([program])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  return placeOf(program)
}

function complain(): never {
  throw new UserError(
    `The browser tests need Chromium: run "apt-get install ${SHELL}" as root, then try again.`,
  )
}
