import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'

/** Clicks a button, and reads the file that it downloads. */
export async function downloadFrom(button: Locator) {
  const [download] = await Promise.all([button.page().waitForEvent('download'), button.click()])
  const content = await readFile(await download.path())
  return { name: download.suggestedFilename(), content, text: content.toString('utf8') }
}

/** The lines of a CSV file. */
export const linesOf = (text: string): string[] => text.trim().split(/\r?\n/)
