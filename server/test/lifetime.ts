import { afterAll, beforeAll, onTestFinished } from 'vitest'

type End = () => Promise<void>

/** Set while something is made for all tests around. */
let shared: End[] | null = null

/** What a test made ends with the test; what was made for all of them ends after the last. */
export function atEnd(end: End): void {
  if (shared) shared.push(end)
  else onTestFinished(end)
}

/**
 * Made once for all tests of the file or the `describe` around it, where none of them changes what another looks at: a
 * database of its own is most of what a small test costs.
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
