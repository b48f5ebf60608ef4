import type { Address, AnswerOf, RequestOf } from '@trunkline/contract'
import { toUrl } from '../../web/src/app/url.ts'

/** Results of requests by endpoint. */
export type Measured = { times: number[]; statuses: Map<number, number> }
export type Requests = Map<string, Measured>

/** Expected error codes of these endpoints. */
type Extras = { allowed?: readonly number[] }
type Loose = { params?: Record<string, string | number>; query?: Record<string, unknown>; body?: unknown }
export type Asked<A extends Address> = RequestOf<A> & Extras

/** An endpoint with its input. */
export type Ask = readonly [address: Address, request?: Loose]

export type Person = {
  readonly username: string
  readonly id: number
  readonly token: string
  /** The API process of this person. */
  readonly url: string
  /** Returns null for a refusal or failure, which is counted. */
  call<A extends Address>(address: A, request?: Asked<A>): Promise<AnswerOf<A> | null>
  /** The same for endpoints from a list; read-only. */
  read(ask: Ask): Promise<unknown>
  /** Number of lines of a download. */
  download(ask: Ask): Promise<number>
}

/** Unexpected statuses with their messages. */
export type Surprise = { address: string; status: number; said: string }

export function createPeople() {
  const requests: Requests = new Map()
  const surprises: Surprise[] = []

  async function ask(
    { url, token }: { url: string; token: string },
    address: string,
    { allowed = [], ...request }: Loose & Extras,
  ): Promise<{ status: number; text: string }> {
    const { method, url: path } = toUrl(address, request)
    const began = performance.now()
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(60_000),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: unknown) => ({ status: 0, text: String(error) }))
    const measured: Measured = requests.get(address) ?? { times: [], statuses: new Map() }
    requests.set(address, measured)
    measured.times.push(performance.now() - began)
    measured.statuses.set(answer.status, (measured.statuses.get(answer.status) ?? 0) + 1)
    if (answer.status !== 200 && !allowed.includes(answer.status))
      surprises.push({ address, status: answer.status, said: answer.text.slice(0, 300) })
    return answer
  }

  return {
    requests,
    surprises,

    async signIn(url: string, username: string, password: string): Promise<Person> {
      const body = { username, password }
      const { status, text } = await ask({ url, token: '' }, 'POST /api/auth/login', { body })
      if (status !== 200) throw new Error(`${username} could not sign in: ${status} ${text}`)
      const { token, user } = JSON.parse(text) as AnswerOf<'POST /api/auth/login'>
      const who = { url, token }
      return {
        username,
        id: user.id,
        token,
        url,
        async call(address, request) {
          const answer = await ask(who, address, (request ?? {}) as Loose & Extras)
          return answer.status === 200 ? JSON.parse(answer.text) : null
        },
        async read([address, request]) {
          const answer = await ask(who, address, request ?? {})
          return answer.status === 200 ? JSON.parse(answer.text) : null
        },
        async download([address, request]) {
          const { text: file } = await ask(who, address, request ?? {})
          return file.split('\n').length - 1
        },
      }
    },
  }
}
export type People = ReturnType<typeof createPeople>

/** Seeded random numbers. */
export function randomFrom(seed: number) {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    between: (from: number, to: number): number => from + below(to - from + 1),
    of: <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value,
  }
}
export type Random = ReturnType<typeof randomFrom>
