import { afterAll, beforeAll, onTestFinished } from 'vitest'

type End = () => Promise<void>

/** Set while a shared fixture is created. */
let shared: End[] | null = null

/** Cleans up after the test, or after the last test for shared fixtures. */
export function atEnd(end: End): void {
  if (shared) shared.push(end)
  else onTestFinished(end)
}

/**
 * Creates a fixture once for all tests of the file or the `describe`, if they do not affect each other. A separate database is most of
 * the cost of a small test.
 */
export function forAll<Made>(make: () => Promise<Made>): () => Made {
  const ends: End[] = []
  let made: Made
  beforeAll(async () => {
    shared = ends
    try {
      made = await make()
    } finally {
      shared = null
    }
  })
  afterAll(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return () => made
}
