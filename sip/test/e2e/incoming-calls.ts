import type { Destination, RingPlan } from '@trunkline/domain/ringing'
import { type Caller, type DialedCall, startCaller } from '../../../sandbox/public-network/caller.ts'
import { type Customer, type Provider, until } from './provider.ts'

/** Helpers for calls of a carrier to rented numbers. */

export const planOf = (destination: Destination, fallback: Destination | null = null): RingPlan => ({
  timeZone: 'UTC',
  rules: [],
  destination,
  fallback,
})

export const toNumber = (number: string, seconds = 20): Destination => ({
  kind: 'number',
  number,
  callerId: 'number',
  seconds,
})

export const toPhones = (...seconds: number[]): Destination => ({
  kind: 'phones',
  steps: seconds.map((each) => ({ devices: 'phones', seconds: each })),
})

/** A PBX on the loopback. Its customer must trust the address. */
export const toPbx = (port: number, seconds = 20): Destination => ({
  kind: 'pbx',
  address: '127.0.0.1',
  port,
  transport: 'udp',
  seconds,
})

export const LIMITLESS = {
  max_concurrent_calls: 1_000,
  max_calls_per_second: 1_000,
  daily_spend_micros: 1_000_000_000n,
}

export type Network = Awaited<ReturnType<typeof startNetwork>>

/** The public telephone network. It calls from the address of a trunk that `sources` describes. */
export async function startNetwork(provider: Provider) {
  const caller: Caller = await startCaller({ host: '127.0.0.1', port: 0 })
  caller.setSwitch(`127.0.0.1:${provider.sipPort}`)
  let counter = 0
  return {
    ...caller,
    sources: { incoming_sources: [`127.0.0.1:${caller.port}`] },
    /** Each call has another caller. */
    async call(number: string): Promise<DialedCall> {
      const callerId = `+1202555${1_000 + ++counter}`
      const wish = { number: `+${number}`, callerId, name: '', isWithheld: false, sound: 'echo' } as const
      return (await caller.dial(wish)) as DialedCall
    },
  }
}

export const reaches = (call: DialedCall, wanted: DialedCall['state']): Promise<boolean> =>
  until(async () => call.state === wanted, `a call that is ${wanted}`, 60_000)

/** Waits until no call is left. Returns the records of these customers. */
export async function recordsAfter(provider: Provider, customers: readonly Customer[]) {
  await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls')
  const records = await Promise.all(customers.map(({ id }) => provider.cdrs(id)))
  return records.flat()
}
