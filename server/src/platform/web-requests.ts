/** Requests to addresses that customers choose. Implemented by an adapter. */
export type WebRequests = {
  /** Follows no redirects. */
  post(request: WebRequest): Promise<WebAnswer>
}

export type WebRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** `reason` is shown to the customer. */
export type WebAnswer =
  | { readonly ok: true; readonly status: number; readonly body: string }
  | { readonly ok: false; readonly isTimeout: boolean; readonly reason: string }
