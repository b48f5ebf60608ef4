import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateHistory } from '@trunkline/sandbox/switch/history'
import type { Config } from '@trunkline/server/app/config'
import { importHistory } from '@trunkline/server/main/import-history'
import { showProgress } from './progress.ts'

const RETRIES = 2

/**
 * Fills a new demo with a few months of calls, payments and support. The marker file saves later starts the time to check that the
 * history is complete.
 */
export async function importDemoHistory(config: Config, folder: string): Promise<void> {
  const marker = join(folder, 'past-written')
  if (existsSync(marker)) return
  const now = new Date()
  const calls = generateHistory({ now: now.getTime() })
  let imported = 0
  const count = (more: number) => {
    imported += more
  }
  /** A failed import changes nothing. On a busy machine it can fail because of a timeout. */
  const importOnce = async (triesLeft: number): Promise<void> => {
    imported = 0
    await importHistory(config, calls, now, count).catch((error) => {
      if (triesLeft === 0) throw error
      return importOnce(triesLeft - 1)
    })
  }
  try {
    await showProgress('Generating a few months of demo data', () => importOnce(RETRIES), {
      progress: () => `${imported} of ${calls.length} calls`,
    })
    await writeFile(marker, '')
  } catch (error) {
    // The history is optional: the demo works without it.
    process.stderr.write(
      `Could not generate demo data: ${error instanceof Error ? error.message : error}\nThe demo starts without them.\n`,
    )
  }
}
