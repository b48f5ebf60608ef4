import { dollars } from '@trunkline/domain/money'
import { defaultLimits } from '../launcher/switch-settings.ts'
import { startProvider } from '../sip/test/e2e/provider.ts'
import { nextPort } from '../sip/test/harness.ts'
import { type BareKind, type Memory, startBare } from './bare-relay.ts'
import {
  FIRST_RATE,
  highest,
  MAX_FAILURES,
  type Offered,
  SECONDS,
  startEndlessCarrier,
} from './highest-rate.ts'

/**
 * Calls per second with call control, compared with a plain Kamailio relay without and with dialogs; and registrations per second.
 * All in one run. See README.md.
 */

/** `calls` or `registrations`; default: both. */
const ONLY = process.env.BENCH_ONLY
const account = { user: 'bench', password: 'a password of the benchmark' }

async function bare(kind: BareKind, what: string, first: number, memory: Memory = 'fm'): Promise<number> {
  const carrier = await startEndlessCarrier({ isMute: true })
  const port = nextPort()
  const baseline = await startBare(kind, port, carrier.port, account, memory)
  try {
    const scenario = kind === 'registrar' ? 'register' : 'caller-by-address'
    const offered = { scenario, remotePort: port, account, service: account.user, isMute: true } as const
    return await highest(what, offered, first)
  } finally {
    await baseline.close()
    carrier.stop()
    await carrier.ended
  }
}

console.log(`SIPp at both ends, ${SECONDS} s per rate, under ${MAX_FAILURES * 100}% failures\n`)
/** A trusted address whose calls exceed the default rate limit. */
const EXCHANGE = '127.0.0.2'
const provider = await startProvider(
  {},
  { limits: { ...defaultLimits, knownPerSecond: 1_000_000, registrationsPerTenSeconds: 1_000_000 } },
)
try {
  const customer = await provider.newCustomer({ balance: dollars(1_000_000) })
  if (ONLY !== 'calls') await compareRegistrations(customer.account)
  if (ONLY !== 'registrations') await compareCalls(customer.id)
} finally {
  await provider.close()
}

async function compareCalls(customerId: number): Promise<void> {
  console.log('Calls')
  const limits = { max_concurrent_calls: 100_000, max_calls_per_second: 10_000 }
  await provider.guard(customerId, { ...limits, daily_spend_micros: dollars(1_000_000) })
  await provider.setAddress({ id: customerId }, EXCHANGE, 'approved')
  const mute = await controlled('full control: holds, records, settlement', true)
  const speaking = await controlled('the same with speech through rtpengine', false)
  const faults = await provider.faults()
  console.log(faults.length === 0 ? '  the ledger balances' : faults.join('\n'))
  for (const [kind, what, memory] of [
    ['relay', 'Kamailio relaying, bare, as Debian starts it', 'qm'],
    ['dialogs', 'with dialogs, as Debian starts it', 'qm'],
    ['relay', 'Kamailio relaying, bare, started as ours is', 'fm'],
    ['dialogs', 'with dialogs, started as ours is', 'fm'],
  ] as const) {
    const baseline = await bare(kind, what, FIRST_RATE * 3, memory)
    const ratios = [mute, speaking].map((held) => (held / baseline).toFixed(2))
    console.log(`    ratio ${ratios[0]}, with media ${ratios[1]}`)
  }
}

async function controlled(what: string, isMute: boolean): Promise<number> {
  const carrier = await startEndlessCarrier({ isMute })
  await provider.dropTrunks()
  await provider.newTrunk({ host: '127.0.0.1', port: carrier.port }, { capacity: 100_000 })
  await provider.settle()
  const from = { host: EXCHANGE, remoteHost: '127.0.0.1' }
  const offered = {
    scenario: 'caller-by-address' as const,
    remotePort: provider.sipPort,
    isMute,
    ...from,
  }
  const held = await highest(what, offered, FIRST_RATE)
  carrier.stop()
  await carrier.ended
  return held
}

async function compareRegistrations({ user, password }: { user: string; password: string }): Promise<void> {
  console.log('Registrations')
  const asDebian = await bare(
    'registrar',
    'one password, from memory, as Debian starts it',
    FIRST_RATE * 8,
    'qm',
  )
  const asOurs = await bare('registrar', 'one password, from memory, started as ours is', FIRST_RATE * 8)
  const signingIn: Offered = {
    scenario: 'register' as const,
    remotePort: provider.sipPort,
    service: user,
    account: { user, password },
  }
  const registered = await highest('our credentials', signingIn, FIRST_RATE * 8)
  console.log(`  ratio ${(registered / asDebian).toFixed(2)}, ${(registered / asOurs).toFixed(2)}\n`)
}
