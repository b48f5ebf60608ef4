/**
 * Caches the result of the newest version. Concurrent callers with the same version share one computation. Failures are not
 * cached.
 */
export function createByVersion<Result>(): (version: string, make: () => Promise<Result>) => Promise<Result> {
  let kept: { version: string; result: Promise<Result> } | null = null
  return (version, make) => {
    if (kept?.version === version) return kept.result
    const made = { version, result: make() }
    made.result.catch(() => {
      if (kept === made) kept = null
    })
    kept = made
    return made.result
  }
}
