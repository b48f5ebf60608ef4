import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, AnswerOf } from '@trunkline/contract'
import { methodAndPath } from '@trunkline/contract'
import { startMailbox } from '@trunkline/sandbox/mailbox/start'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApi } from '../src/app/api.ts'
import { loadConfig } from '../src/app/config.ts'
import { createServices, type Services } from '../src/app/services.ts'
import { startWorker } from '../src/app/worker.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { atEnd } from './lifetime.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

/** The complete server on its own database, with a manual clock and injected requests. */
export type Portal = {
  api: FastifyInstance
  services: Services
  clock: ManualClock
  database: TestDatabase
  /** Emails in the mailbox, newest first; waits for the given number. */
  mails(atLeast: number): Promise<Mail[]>
  call<A extends Address>(address: A, request?: CallOptions): Promise<Called<AnswerOf<A>>>
}

export type Mail = {
  to: string[]
  subject: string
  text: string
  attachments: { name: string; type: string; bytes: number }[]
}

export type CallOptions = {
  body?: unknown
  token?: string
  /** Source address of the request; rate limits use it. */
  from?: string
  params?: Record<string, string | number>
  query?: Record<string, string | number>
}

type PortalOptions = {
  /** Whether the worker runs jobs automatically. */
  hasWorker?: boolean
  startsAt?: string
  /** Uses the production cost of password hashing, which is slow. */
  hasDearPasswords?: boolean
}

export type Called<Answer> = {
  status: number
  answer: Answer
  /** The error message for the user. */
  message: string
  code: string | undefined
}

/** A busy machine may stand still for seconds. */
const PATIENCE_MS = 60_000
/** The minimum cost of argon2. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export async function createPortal(
  settings: Record<string, string> = {},
  { hasWorker = false, startsAt, hasDearPasswords = false }: PortalOptions = {},
): Promise<Portal> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-mailbox-'))
  const mailbox = await startMailbox({ host: '127.0.0.1', smtpPort: 0, httpPort: 0, folder })
  const clock = createManualClock(startsAt)
  const config = loadConfig({
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
    REGISTRATIONS_PER_HOUR: '1000',
    ...settings,
  })
  const logger = pino({ level: 'silent' })
  const services = await createServices(config, clock, logger, hasDearPasswords ? undefined : CHEAP, {
    connectTimeoutMs: PATIENCE_MS,
    isWorker: hasWorker,
  })
  if (hasWorker) await startWorker(services)
  const api = createApi(config, services, logger)
  atEnd(async () => {
    await api.close()
    await services.close()
    await mailbox.close()
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  })

  return {
    api,
    services,
    clock,
    database,
    async mails(atLeast) {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${mailbox.httpPort}/messages.json`)
        const { messages } = (await answer.json()) as { messages: Mail[] }
        if (messages.length >= atLeast) return messages
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async call(address, { body, token, from = '127.0.0.1', params = {}, query = {} } = {}) {
      const { method, path } = methodAndPath(address)
      const response = await api.inject({
        method: method as 'GET',
        url: path.replace(/:(\w+)/g, (_, name) => String(params[name])),
        query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
        remoteAddress: from,
        headers: { ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { payload: body as object }),
      })
      const answer = response.json()
      return { status: response.statusCode, answer, message: answer?.message, code: answer?.error?.code }
    },
  }
}

export type SignedIn = { token: string; id: number; username: string; password: string }

/** Creates an account and signs in. */
export async function signUp(
  portal: Portal,
  username: string,
  rights: { isAdmin?: boolean; isPremium?: boolean; email?: string } = {},
): Promise<SignedIn> {
  const password = `password of ${username}`
  const { id } = await portal.services.accounts.create({ username, password, ...rights })
  const { answer, status, message } = await portal.call('POST /api/auth/login', {
    body: { username, password },
  })
  if (status !== 200) throw new Error(`${username} could not sign in: ${status} ${message}`)
  return { token: answer.token, id, username, password }
}

/** A portal with an administrator and a customer. */
export async function withAdmin(...options: Parameters<typeof createPortal>) {
  const portal = await createPortal(...options)
  const root = await signUp(portal, 'root', { isAdmin: true })
  return { portal, root, alice: await signUp(portal, 'alice') }
}

/** Confirms the password again, which some changes need after ten minutes. */
export const prove = (portal: Portal, { token, password }: SignedIn) =>
  portal.call('POST /api/auth/prove', { token, body: { password } })
