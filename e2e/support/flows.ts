import type { Locator, Page } from '@playwright/test'
import { expect } from './story.ts'

/** A step on the canvas. */
export const node = (page: Page, name: string): Locator =>
  page.locator('.react-flow__node').filter({ has: page.getByText(name, { exact: true }) })

/** The dot of an exit, or of the entrance of a step. */
export const exitOf = (step: Locator, exit: string): Locator => step.locator(`[data-handleid="${exit}"]`)
export const entranceOf = (step: Locator): Locator => step.locator('.react-flow__handle.target')

/** Creates a flow with the form of the list. */
export async function createFlow(page: Page, name: string, template: string): Promise<void> {
  await page.getByRole('button', { name: 'New flow' }).click()
  const dialog = page.getByRole('dialog', { name: 'New flow' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByText(template, { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create flow' }).click()
  await expect(page).toHaveURL(/\/dashboard\/flows\/\d+$/)
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
}

/** Publishes what is drawn, with a note. */
export async function publish(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Publish version/ })
  await dialog.getByLabel('Note').fill(note)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog).toBeHidden()
}

const HEADER_BYTES = 44

/** A WAV file with a tone of 440 Hz. */
export function toneFile(seconds: number, rate = 22_050): Buffer {
  const samples = Math.round(seconds * rate)
  const wav = Buffer.alloc(HEADER_BYTES + samples * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples * 2, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let at = 0; at < samples; at += 1)
    wav.writeInt16LE(Math.round(Math.sin((at / rate) * 2 * Math.PI * 440) * 12_000), HEADER_BYTES + at * 2)
  return wav
}
