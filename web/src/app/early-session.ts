type EarlySession = { token: string; response: Promise<Response> }

declare global {
  var earlySession: EarlySession | undefined
}

/** The response that start.js requested before the app was loaded: once, and only for the same token. */
export function takeEarlySession(token: string | null): Promise<Response> | null {
  const early = globalThis.earlySession
  globalThis.earlySession = undefined
  return early && early.token === token ? early.response : null
}
