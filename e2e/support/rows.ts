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
