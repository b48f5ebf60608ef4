import { readFile } from 'node:fs/promises'
import { expect, type Locator } from '@playwright/test'

/** Uses the panel like an operator with a mouse and counts the clicks. */
export function createOperator() {
  let clicks = 0
  return {
    click: async (target: Locator): Promise<void> => {
      clicks++
      await target.click()
    },
    /** One click opens the list, another one chooses. */
    choose: async (list: Locator, option: string): Promise<void> => {
      clicks += 2
      await list.selectOption(option)
    },
    /** One click puts the cursor into the field. */
    fill: async (field: Locator, text: string): Promise<void> => {
      clicks++
      await field.fill(text)
    },
    /** One click opens the file dialog of the browser. */
    upload: async (field: Locator, name: string, text: string): Promise<void> => {
      clicks++
      await field.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    },
    /** Compares the clicks with docs/daily-tasks.md. */
    isDone: async (task: string): Promise<void> => expect(clicks, task).toBe(await documentedClicks(task)),
  }
}

async function documentedClicks(task: string): Promise<number> {
  const page = await readFile(new URL('../../docs/daily-tasks.md', import.meta.url), 'utf8')
  const row = page.split('\n').find((line) => line.startsWith(`| ${task} |`))
  return Number(row?.split('|')[3])
}
