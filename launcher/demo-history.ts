import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateHistory } from '@trunkline/sandbox/switch/history'
import { importHistory } from '@trunkline/server/main/import-history'
import { showProgress } from './progress.ts'

/**
 * Fills a new demo with a few months of generated calls. The marker file saves later starts the time to check that the
 * history is complete.
 */
export async function importDemoHistory(databaseUrl: string, folder: string): Promise<void> {
  const marker = join(folder, 'past-written')
  if (existsSync(marker)) return
  const calls = generateHistory({ now: Date.now() })
  let imported = 0
  const count = (more: number) => {
    imported += more
  }
  try {
    await showProgress(
      'Generating a few months of demo calls',
      () => importHistory(databaseUrl, calls, count),
      { progress: () => `${imported} of ${calls.length} calls` },
    )
    await writeFile(marker, '')
  } catch (error) {
    // The history is optional: the demo works without it.
    process.stderr.write(
      `Could not generate demo calls: ${error instanceof Error ? error.message : error}\nThe demo starts without them.\n`,
    )
  }
}
