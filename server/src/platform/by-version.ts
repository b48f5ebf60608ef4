/**
 * Keeps the newest result under the version it was made for. Everybody who asks for the same version shares one result, also while it
 * is being made; a failure is not kept.
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
