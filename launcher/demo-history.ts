import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateHistory } from '@trunkline/sandbox/switch/history'
import type { Config } from '@trunkline/server/app/config'
import { importHistory } from '@trunkline/server/main/import-history'
import { showProgress } from './progress.ts'

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
  try {
    await showProgress(
      'Generating a few months of demo data',
      () => importHistory(config, calls, now, count),
      { progress: () => `${imported} of ${calls.length} calls` },
    )
    await writeFile(marker, '')
  } catch (error) {
    // The history is optional: the demo works without it.
    process.stderr.write(
      `Could not generate demo data: ${error instanceof Error ? error.message : error}\nThe demo starts without them.\n`,
    )
  }
}
