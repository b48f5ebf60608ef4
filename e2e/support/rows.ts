import type { Locator } from '@playwright/test'
import { expect } from './story.ts'

const SCREEN_HEIGHT = 800

/** At least twelve rows as high as the first one fit on the screen. Polled, because what is loaded above moves the list. */
export const expectTwelveRows = (first: Locator, message = 'rows on the screen'): Promise<void> =>
  expect
    .poll(
      async () => {
        const { y, height } = (await first.boundingBox()) ?? { y: SCREEN_HEIGHT, height: 1 }
        return (SCREEN_HEIGHT - y) / height
      },
      { message },
    )
    .toBeGreaterThanOrEqual(12)

/** A line of 36 pixels and its border. */
const LINE_HEIGHT = 37

/** Twelve rows of one line each are on the screen, or fit there. */
export async function expectLines(rows: Locator, message: string): Promise<void> {
  await expect(rows.first(), message).toBeVisible()
  for (const row of (await rows.all()).slice(0, 12))
    await expect
      .poll(async () => (await row.boundingBox())?.height ?? 0, { message })
      .toBeLessThanOrEqual(LINE_HEIGHT)
  await expectTwelveRows(rows.first(), message)
}

/** The whole row is on a screen of that height. */
export const expectAbove = (row: Locator, screenHeight: number, message: string): Promise<void> =>
  expect
    .poll(
      async () => {
        const { y, height } = (await row.boundingBox()) ?? { y: screenHeight, height: 1 }
        return y + height
      },
      { message },
    )
    .toBeLessThanOrEqual(screenHeight)

const ZOOMED_HEIGHT = 400
/** Three lines of text. Narrow screens show a row as a block of up to 150 pixels. */
const READABLE = 60

/** At 200 % zoom of a screen of 1280 x 800, a row or its first lines are visible without scrolling. */
export const expectRowInView = (first: Locator, message: string): Promise<void> =>
  expect
    .poll(
      async () => {
        const { y, height } = (await first.boundingBox()) ?? { y: ZOOMED_HEIGHT, height: READABLE }
        return y + Math.min(height, READABLE)
      },
      { message },
    )
    .toBeLessThanOrEqual(ZOOMED_HEIGHT)
