import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeUpHistory } from '@trunkline/sandbox/switch/history'
import { importHistory } from '@trunkline/server/main/import-history'
import { tellWhile } from './progress.ts'

/**
 * Gives a new demo a few months of made-up calls, so that every screen has something to show. Once: the import leaves a past
 * alone that is there, but to find that out takes a moment that later starts need not spend.
 */
export async function giveDemoPast(databaseUrl: string, folder: string): Promise<void> {
  const mark = join(folder, 'past-written')
  if (existsSync(mark)) return
  const calls = makeUpHistory({ now: Date.now() })
  let written = 0
  const count = (more: number) => {
    written += more
  }
  try {
    await tellWhile(
      'Making up a few months of calls for the demo',
      () => importHistory(databaseUrl, calls, count),
      { soFar: () => `${written} of ${calls.length} calls` },
    )
    await writeFile(mark, '')
  } catch (error) {
    // It is there to be looked at; a demo that has calls of its own does without.
    process.stderr.write(`The demo goes without it: ${error instanceof Error ? error.message : error}\n`)
  }
}
