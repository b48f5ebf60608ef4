import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSipp, type SippOptions, type SippResult } from '../../sip/test/sipp.ts'
import type { Provider } from './provider.ts'
import { addressOf, NUMBERS, type Town } from './town.ts'

/** The expected records of a group of calls. */
export type Expected = {
  status: 'completed' | 'busy' | 'cancelled'
  reason?: string
  /** Failed carrier attempts before the successful one. */
  triedBefore?: number
  /** Exact duration in seconds. */
  seconds?: number
}
export type Group = {
  name: string
  /** Planned number of calls. */
  planned: number
  userIds: ReadonlySet<number>
  expected: Expected
  result: SippResult
}

type Kind = {
  name: string
  /** Share of all calls. */
  share: number
  users: readonly { person: { id: number } }[]
  expected: Expected
  options: Omit<SippOptions, 'port' | 'calls' | 'perSecond'>
  calls?: number
}

const A_LAW_SILENCE = 0xd5
/** Time for the last calls to end. */
const LONGEST_CALL_MS = 20_000

/** Runs all SIPp roles at a constant rate for a number of seconds. */
export async function startCalls(
  provider: Provider,
  town: Town,
  { seconds, perSecond, poorSeconds }: { seconds: number; perSecond: number; poorSeconds: number },
) {
  const speech = join(provider.folder, 'speech.alaw')
  await writeFile(speech, Buffer.alloc(8_000, A_LAW_SILENCE))
  const { pbxs, phones, clickers, watched, poor } = town
  const pbx = (index: number) => pbxs.slice(index, index + 1)
  const from = (index: number) => ({ scenario: 'caller-by-address', host: addressOf(index) }) as const
  const accounts = (of: typeof phones) => of.map(({ account }) => account)
  const hungUp = { status: 'completed', reason: 'hung_up_by_caller' } as const
  const kinds: Kind[] = [
    {
      name: 'PBX by address',
      share: 0.28,
      users: pbx(0),
      expected: hungUp,
      options: { ...from(0), service: NUMBERS.gb, talk: [500, 12_000] },
    },
    {
      name: 'PBX, no speech described',
      share: 0.16,
      users: pbx(1),
      expected: hungUp,
      options: { ...from(1), service: NUMBERS.gb, talk: [500, LONGEST_CALL_MS], isMute: true },
    },
    {
      name: 'PBX that speaks, echoed',
      share: 0.06,
      users: pbx(2),
      expected: hungUp,
      options: { ...from(2), service: NUMBERS.gb, talk: [2_000, 15_000], speech: { file: speech } },
    },
    {
      name: 'first carrier says 503',
      share: 0.1,
      users: pbx(3),
      expected: { ...hungUp, triedBefore: 1 },
      options: { ...from(3), service: NUMBERS.fr, talk: [500, 8_000] },
    },
    {
      name: 'busy',
      share: 0.08,
      users: pbx(4),
      expected: { status: 'busy' },
      options: { ...from(4), scenario: 'caller-hears-busy', service: NUMBERS.busy },
    },
    {
      name: 'given up while it rings',
      share: 0.06,
      users: pbx(5),
      expected: { status: 'cancelled' },
      options: { ...from(5), scenario: 'caller-gives-up', service: NUMBERS.rings, talk: [500, 4_000] },
    },
    {
      name: 'phones with a password',
      share: 0.2,
      users: phones.slice(0, 30),
      expected: hungUp,
      options: {
        scenario: 'caller',
        service: NUMBERS.gb,
        accounts: accounts(phones.slice(0, 30)),
        talk: [500, 16_000],
      },
    },
    {
      name: 'the called side hangs up',
      share: 0.06,
      users: phones.slice(30),
      expected: { status: 'completed', reason: 'hung_up_by_callee' },
      options: { scenario: 'caller-is-cut', service: NUMBERS.it, accounts: accounts(phones.slice(30)) },
    },
    {
      name: 'cut when the money ends',
      share: 0,
      users: poor,
      calls: poor.length,
      expected: { status: 'completed', reason: 'balance_used_up', seconds: poorSeconds },
      options: { scenario: 'caller-is-cut', service: NUMBERS.gb, accounts: accounts(poor) },
    },
    {
      name: 'hung up by a click',
      share: 0.01,
      users: clickers,
      expected: { status: 'completed', reason: 'hung_up_by_customer' },
      options: { scenario: 'caller-is-cut', service: NUMBERS.gb, accounts: accounts(clickers) },
    },
    {
      name: 'hung up by an administrator',
      share: 0.01,
      users: watched,
      expected: { status: 'completed', reason: 'hung_up_by_admin' },
      options: { scenario: 'caller-is-cut', service: NUMBERS.gb, accounts: accounts(watched) },
    },
  ]

  const common = {
    remoteHost: '127.0.0.1',
    remotePort: provider.sipPort,
    timeoutSeconds: seconds + 120,
    recvTimeoutMs: 40_000,
  }
  const evenly = (calls: number) => ({
    port: provider.nextPort(),
    calls,
    perSecond: calls / seconds,
    ...common,
  })
  // Phones refresh their registration periodically.
  const registering = await runSipp({
    scenario: 'register',
    accounts: accounts(phones),
    ...evenly(Math.max(phones.length, Math.round(seconds * 2))),
  })
  const runs = await Promise.all(
    kinds.map(async ({ name, share, users, expected, options, calls }) => {
      const planned = calls ?? Math.max(2, Math.round(share * perSecond * seconds))
      const { ended } = await runSipp({ ...options, ...evenly(planned) })
      return { name, planned, expected, userIds: new Set(users.map(({ person }) => person.id)), ended }
    }),
  )
  return {
    async ended(): Promise<{ groups: Group[]; registrations: SippResult }> {
      const registrations = await registering.ended
      const groups = await Promise.all(
        runs.map(async ({ ended, ...group }) => ({ ...group, result: await ended })),
      )
      return { groups, registrations }
    },
  }
}
