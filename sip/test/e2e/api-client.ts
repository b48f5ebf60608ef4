import { type Address, type AnswerOf, methodAndPath } from '@trunkline/contract'
import { createApi } from '@trunkline/server/app/api'
import { loadConfig } from '@trunkline/server/app/config'
import { createServices } from '@trunkline/server/app/services'
import { systemClock } from '@trunkline/server/platform/clock'
import { createPasswordHasher } from '@trunkline/server/platform/password-hasher'
import { pino } from 'pino'
import type { Customer, Provider } from './provider.ts'

type Request = { params?: Record<string, string | number>; body?: unknown }

/** Requests of one customer to the API. A refusal is an error. */
export type ApiClient = {
  ask<A extends Address>(address: A, request?: Request): Promise<AnswerOf<A>>
  /** The bytes of a file, or null as long as there is none. */
  file(path: string): Promise<Buffer | null>
}

/** The API with the database and the sounds of the provider. Closes with the harness. */
export async function startApi({ harness, environment }: Provider): Promise<string> {
  const config = loadConfig(environment)
  const logger = pino({ level: 'silent' })
  const services = await createServices(config, systemClock, logger)
  const api = createApi(config, services, logger)
  harness.keep({ close: () => api.close().then(() => services.close()) })
  return api.listen({ host: '127.0.0.1', port: 0 })
}

const PASSWORD = 'a password of the tests'

/** Customers of tests have no password, so they get one. */
export async function signIn({ db }: Provider, url: string, customer: Customer): Promise<ApiClient> {
  const password_hash = await createPasswordHasher().hash(PASSWORD)
  await db.updateTable('users').set({ password_hash }).where('id', '=', customer.id).execute()
  let token = ''

  const send = (method: string, path: string, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const client: ApiClient = {
    async ask(address, { params = {}, body } = {}) {
      const { method, path } = methodAndPath(address)
      const response = await send(
        method,
        path.replace(/:(\w+)/g, (_, name) => `${params[name]}`),
        body,
      )
      const answer = (await response.json()) as AnswerOf<typeof address>
      if (!response.ok) throw new Error(`${address}: ${response.status} ${JSON.stringify(answer)}`)
      return answer
    },
    async file(path) {
      const response = await send('GET', path)
      const bytes = Buffer.from(await response.arrayBuffer())
      return response.ok ? bytes : null
    },
  }
  const signedIn = await client.ask('POST /api/auth/login', {
    body: { username: customer.username, password: PASSWORD },
  })
  token = signedIn.token
  return client
}
