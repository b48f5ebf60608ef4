/** Sample traffic of the landing page, repeated every minute. The numbers are reserved for fiction. */
type ScriptedCall = {
  number: string
  country: string
  dollarsPerMinute: number
  ringsAt: number
  answeredAt: number
  endsAt: number
}

const CYCLE_SECONDS = 60
const OPENING_BALANCE = 1284.5

const script: readonly ScriptedCall[] = [
  {
    number: '+44 20 7946 0321',
    country: 'United Kingdom',
    dollarsPerMinute: 0.012,
    ringsAt: -134,
    answeredAt: -128,
    endsAt: 38,
  },
  {
    number: '+1 212 555 0142',
    country: 'United States',
    dollarsPerMinute: 0.009,
    ringsAt: -52,
    answeredAt: -47,
    endsAt: 58,
  },
  {
    number: '+49 30 23125 614',
    country: 'Germany',
    dollarsPerMinute: 0.017,
    ringsAt: -2,
    answeredAt: 6,
    endsAt: 52,
  },
  {
    number: '+61 2 5550 1187',
    country: 'Australia',
    dollarsPerMinute: 0.024,
    ringsAt: 44,
    answeredAt: 50,
    endsAt: 60,
  },
]

export type ExampleCall = {
  number: string
  country: string
  isRinging: boolean
  talkSeconds: number
  costDollars: number
}

type ExampleMoment = { balanceDollars: number; heldDollars: number; calls: ExampleCall[] }

/** The state of the example after `second` seconds. */
export function exampleAt(second: number): ExampleMoment {
  const now = second % CYCLE_SECONDS
  const costBy = (call: ScriptedCall, moment: number) =>
    (Math.max(0, moment - call.answeredAt) / 60) * call.dollarsPerMinute
  const inMicros = (dollars: number) => Math.round(dollars * 1e6) / 1e6
  const ended = script.filter((call) => call.endsAt <= now)
  const live = script.filter((call) => call.ringsAt <= now && now < call.endsAt)
  return {
    balanceDollars: inMicros(
      OPENING_BALANCE - ended.reduce((sum, call) => sum + costBy(call, call.endsAt), 0),
    ),
    // Each call holds one minute in advance.
    heldDollars: inMicros(live.reduce((sum, call) => sum + costBy(call, now) + call.dollarsPerMinute, 0)),
    calls: live.map((call) => ({
      number: call.number,
      country: call.country,
      isRinging: now < call.answeredAt,
      talkSeconds: Math.max(0, now - call.answeredAt),
      costDollars: costBy(call, now),
    })),
  }
}

export const exampleRoutes = [
  { country: 'United Kingdom', name: 'Gold CLI', price: '$0.012', isPremium: true },
  { country: 'United States', name: 'Standard', price: '$0.009', isPremium: false },
  { country: 'Germany', name: 'Standard', price: '$0.017', isPremium: false },
] as const
