import type { User } from '@trunkline/contract/accounts'
import { isTruthyFlag } from '@trunkline/domain/access'
import { useSyncExternalStore } from 'react'
import { ApiError, api, onAdminRefused, onSessionLost } from './api.ts'
import { connection, onConnectionChange } from './connection.ts'
import { forgetDraftsSetAside, restoreDrafts, setDraftsAside } from './drafts.ts'
import { forgetPersonalData } from './query-client.ts'
import { onTokenChangedElsewhere, readToken, writeToken } from './token.ts'

/** Section 4 of the specification: loading, then unauthenticated or authenticated. */
export type Session =
  | { status: 'loading'; troubled: boolean }
  | { status: 'unauthenticated'; expired: boolean }
  | { status: 'authenticated'; user: User }

const RETRY_MS = 3_000

const signedOut: Session = { status: 'unauthenticated', expired: false }
let current: Session = signedOut
const listeners = new Set<() => void>()
/** Goes to the landing page. `onLeft` is not called while the user keeps unsaved work. */
type GoHome = (onLeft: () => void) => Promise<void>
let goHome: GoHome = async (onLeft) => onLeft()

export const session = (): Session => current

function become(next: Session): void {
  const before = current.status === 'authenticated' ? current.user.id : null
  const after = next.status === 'authenticated' ? next.user.id : null
  if (before !== null && before !== after) {
    setDraftsAside(before)
    forgetPersonalData()
  } else if (isAdmin(current) && !isAdmin(next)) {
    // The panel is closed to a former administrator.
    forgetPersonalData()
  }
  if (after !== null && before !== after) restoreDrafts(after)
  current = next
  for (const listener of listeners) listener()
}

const isAdmin = (of: Session): boolean => of.status === 'authenticated' && of.user.is_admin

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves once the check of the stored token has ended or has trouble. */
export function sessionChecked(): Promise<void> {
  const isChecked = () => current.status !== 'loading' || current.troubled
  return new Promise((resolve) => {
    if (isChecked()) return resolve()
    const stop = subscribe(() => {
      if (!isChecked()) return
      stop()
      resolve()
    })
  })
}

export const useSession = (): Session => useSyncExternalStore(subscribe, session, session)

/** The signed-in user; null while a screen unmounts after the session ended. */
export function useUser(): User | null {
  const now = useSession()
  return now.status === 'authenticated' ? now.user : null
}

/** Flags can arrive as 1, '1', true or 'true'. */
const normalised = (user: User): User => ({
  ...user,
  is_admin: isTruthyFlag(user.is_admin),
  is_premium: isTruthyFlag(user.is_premium),
})

/** Called once, before the first screen. */
export function startSession(home: GoHome): void {
  goHome = home
  onSessionLost(() => become({ status: 'unauthenticated', expired: true }))
  onAdminRefused(() => void rereadRights())
  onTokenChangedElsewhere(() => {
    if (readToken() === null) become(signedOut)
    else void verify()
  })
  onConnectionChange(() => {
    if (connection() === 'connected' && current.status === 'loading') void verify()
  })
  if (readToken() === null) become(signedOut)
  else void verify()
}

/** Checks the stored token. Only a 401 refuses it; any other failure is retried. */
export async function verify(): Promise<void> {
  const token = readToken()
  // Another tab may have renewed the token. This check must not interrupt a signed-in user.
  const wasLoading = current.status !== 'authenticated'
  if (wasLoading) become({ status: 'loading', troubled: false })
  try {
    const { user } = await api('GET /api/auth/verify')
    if (readToken() === token) become({ status: 'authenticated', user: normalised(user) })
  } catch (error) {
    // A 401 has already removed the token and called onSessionLost.
    if (readToken() !== token || token === null || !wasLoading) return
    become({ status: 'loading', troubled: true })
    // While the server is unreachable, the polling of the banner triggers the next attempt (onConnectionChange).
    if (!(error instanceof ApiError && error.unreachable)) setTimeout(retryIfStillLoading, RETRY_MS)
  }
}

function retryIfStillLoading(): void {
  if (current.status === 'loading') void verify()
}

export async function login(username: string, password: string): Promise<User> {
  const answer = await api('POST /api/auth/login', { body: { username: username.trim(), password } })
  const user = normalised(answer.user)
  writeToken(answer.token)
  become({ status: 'authenticated', user })
  return user
}

/** Creates an account without signing in, as the specification requires. */
export async function register(username: string, password: string, email: string): Promise<void> {
  const address = email.trim()
  const answer: unknown = await api('POST /register', {
    body: { username: username.trim(), password, ...(address && { email: address }) },
  })
  const { success, error, message } = (answer ?? {}) as Record<'success' | 'error' | 'message', unknown>
  if (success === true) return
  throw new ApiError(
    ([error, message].find((text) => typeof text === 'string' && text !== '') as string) ?? '',
  )
}

/**
 * Signs out when the address changes, which unsaved work can prevent; the request to the server runs in the
 * background. The user is cleared only after the navigation, otherwise the gate of the current screen would redirect
 * to /login.
 */
export async function logout(): Promise<void> {
  try {
    await goHome(endSession)
  } finally {
    if (readToken() === null) leave()
  }
}

function leave(): void {
  become(signedOut)
  forgetDraftsSetAside()
}

function endSession(): void {
  // A second click on Logout may have come first.
  if (readToken() === null) return
  const request = api('POST /api/auth/logout', { keepalive: true })
  writeToken(null)
  request.catch(() => {})
}

/** After the server has ended every session of the account. */
export function forgetSession(): void {
  writeToken(null)
  leave()
}

/** Reads the user again, for example for the balance. */
export async function refresh(): Promise<void> {
  const token = readToken()
  const { user } = await api('GET /api/auth/me')
  if (readToken() === token && token !== null) become({ status: 'authenticated', user: normalised(user) })
}

let isRereading = false

/** After a refusal. The gate of the panel redirects a user who is no longer an administrator. */
async function rereadRights(): Promise<void> {
  // Every request of a screen is refused at once.
  if (isRereading || !isAdmin(current)) return
  isRereading = true
  await refresh().catch(() => {})
  isRereading = false
}

/** A changed password ends all sessions; the response has a new token. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<string> {
  const { token, message } = await api('POST /api/auth/change-password', {
    body: { currentPassword, newPassword },
  })
  writeToken(token)
  return message
}
