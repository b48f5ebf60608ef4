import type { CallWish } from './call.ts'
import type { SwitchClock } from './clock.ts'
import { type Customer, activeCustomers as customers, expectedPerHour } from './customers.ts'
import type { NewEvent } from './events.ts'
import { generateCall, planOf } from './generated-call.ts'
import { type Chance, weighted } from './random.ts'

interface TrafficOptions {
  clock: SwitchClock
  /** Number of connected call controls; without one there are no calls. */
  connections(): number
  place(wish: CallWish): unknown
  emit(event: NewEvent): void
  chance: Chance
  isOn: boolean
}

/** Calls of all customers on a weekday: enough for a handful of live calls during the day. */
const CALLS_PER_DAY = 2_800
/** A minimum share for each hour, so that the demo shows live calls at night too. */
const QUIETEST = 0.04
const HOUR_MS = 3_600_000
const LOOK_AGAIN_MS = 3_000
/** The rate changes by the hour, so a long wait is split. */
const LONGEST_WAIT_MS = 60_000
const REGISTRATION_MS = 20 * 60_000

const callsPerHour = (customer: Customer, at: number) =>
  expectedPerHour(customer, at, CALLS_PER_DAY, QUIETEST)

/** Generates calls of the demo customers while call control is connected. */
export function startTraffic({ clock, connections, place, emit, chance, ...options }: TrafficOptions) {
  let isOn = options.isOn
  let isWarm = false
  let cancel = () => {}
  let registeredAt = Number.NEGATIVE_INFINITY

  const call = (customer: Customer) => place(planOf(generateCall(chance, customer, clock.now())))
  const callNow = () => {
    const now = clock.now()
    const expected = customers.map((one) => [one.username, callsPerHour(one, now)])
    const username = weighted(chance, Object.fromEntries(expected))
    const customer = customers.find((one) => one.username === username)
    if (customer) call(customer)
  }
  const waitMs = () => {
    const now = clock.now()
    const perHour = customers.reduce((sum, one) => sum + callsPerHour(one, now), 0)
    return Math.ceil((-Math.log(1 - chance()) / perHour) * HOUR_MS)
  }
  const register = () => {
    const at = clock.now()
    registeredAt = at
    for (const { username: user, phones } of customers)
      for (const { address, device } of phones)
        emit({
          type: 'registered',
          at,
          user,
          address,
          device,
          contact: `sip:${user}@${address}:5060`,
          expiresAt: at + REGISTRATION_MS,
        })
  }

  const later = (ms: number, run: () => void) => {
    cancel = clock.at(clock.now() + ms, run)
  }
  const turn = () => {
    if (connections() === 0) {
      isWarm = false
      return later(LOOK_AGAIN_MS, turn)
    }
    if (clock.now() - registeredAt > REGISTRATION_MS / 2) register()
    // A few calls at once, so that the first screen is not empty.
    if (!isWarm) customers.forEach(call)
    isWarm = true
    const wait = waitMs()
    // The exponential distribution is memoryless: drawing again after a partial wait does not change it.
    if (wait > LONGEST_WAIT_MS) later(LONGEST_WAIT_MS, turn)
    else
      later(wait, () => {
        if (connections() > 0) callNow()
        turn()
      })
  }
  const go = () => later(LOOK_AGAIN_MS, turn)
  if (isOn) go()

  return {
    isOn: () => isOn,
    set(on: boolean) {
      if (on === isOn) return
      isOn = on
      isWarm = false
      cancel()
      if (on) go()
    },
  }
}
