import { cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@trunkline/server/platform/database'
import { openBrowser } from './life/browser.ts'
import { startCalls } from './life/calls.ts'
import { judgeLogs, lengthsOfLogs, packetsRelayed } from './life/logs.ts'
import { watchMemory } from './life/memory.ts'
import { startOffice } from './life/office.ts'
import { startPayments } from './life/payments.ts'
import { randomFrom } from './life/person.ts'
import { comparePictures } from './life/pictures.ts'
import { startProvider } from './life/provider.ts'
import {
  judgeBooks,
  judgeCalls,
  judgePayments,
  judgeStreams,
  readRecords,
  type Verdict,
} from './life/records.ts'
import { percentiles, printMemory, printRequests, printVerdicts, printWork } from './life/report.ts'
import { createLiveStream, OWN } from './life/stream.ts'
import { POOR_SECONDS, settleTown, startCarriers } from './life/town.ts'

/** Runs calls, browsers, payments and administrators for ten minutes, then checks that nothing was lost. See README.md. */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 600)
const CALLS_PER_SECOND = Number(process.env.BENCH_CALLS ?? 25)
const BROWSERS = Number(process.env.BENCH_BROWSERS ?? 200)
const ADMINISTRATORS = Math.max(2, Math.round(BROWSERS / 10))
/** Delay between the answer and the hangup by the customer. */
const CLICK_AFTER_MS = 2_000
const SETTLE_MS = 60_000

const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

say('the provider is started')
const provider = await startProvider()
const carriers = await startCarriers(provider, SECONDS)
const db = openDatabase({ url: provider.databaseUrl, poolSize: 2, onError: () => {} })
let isSound = false
// Ctrl-C ends all processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await carriers.close()
    await provider.close()
    process.exit(1)
  })
try {
  isSound = await live()
} finally {
  await db.destroy()
  await carriers.close()
  await provider.close()
}
process.exit(isSound ? 0 : 1)

async function live(): Promise<boolean> {
  const size = { customers: BROWSERS - ADMINISTRATORS, administrators: ADMINISTRATORS }
  say('customers and administrators sign up and sign in')
  const town = await settleTown(provider, carriers, { ...size, poor: Math.max(2, Math.round(SECONDS / 10)) })
  const { urls } = provider
  const random = randomFrom(1)
  const { requests, surprises } = town.people
  const settingUp = [...surprises.splice(0)]
  requests.clear()
  console.log(
    `${SECONDS} s, ${CALLS_PER_SECOND} calls/s, ${BROWSERS} browsers (${ADMINISTRATORS} of administrators), ${cpus().length} cores (${cpus()[0]?.model}), load ${loadavg()[0]?.toFixed(1)}`,
  )

  const saidBefore = await lengthsOfLogs(provider)
  const until = Date.now() + SECONDS * 1_000
  const memory = watchMemory(provider)
  const { pbxs, phones, readers, clickers, administrators } = town
  // A PBX user has several windows open.
  const customers = [...pbxs, ...pbxs, ...pbxs, ...phones, ...readers].slice(
    0,
    size.customers - clickers.length,
  )
  const comingMs = Math.min(60_000, (SECONDS * 1_000) / 4)
  const browsers = [
    ...customers.map(({ person }) => openBrowser(person, false, urls, random, comingMs)),
    ...administrators.map((person) => openBrowser(person, true, urls, random, comingMs)),
  ]
  const watching = clickers.map(({ person }) => {
    const stream = createLiveStream(person, OWN, urls)
    stream.onAnswered(async ({ uniqueid }) => {
      await pause(CLICK_AFTER_MS)
      await person.call('POST /api/live-calls/hangup', { body: { uniqueid } })
    })
    stream.open()
    return stream
  })
  const calls = await startCalls(provider, town, {
    seconds: SECONDS,
    perSecond: CALLS_PER_SECOND,
    poorSeconds: POOR_SECONDS,
  })
  const payments = await startPayments(provider, town, random, until)
  const office = startOffice(town, () => payments.payments, random, until)
  say('everything runs')
  await pause(until - Date.now())

  say('the last calls end')
  await Promise.all(browsers.map((browser) => browser.stop()))
  const streams = [...browsers.map(({ stream }) => stream), ...watching]
  const { grown, worked } = await memory.ended()
  const load = loadavg()[0]?.toFixed(1)
  const verdicts: Verdict[] = [await comparePictures('pictures while calls live', streams)]
  const [made, worth, { groups, registrations }] = await Promise.all([
    payments.ended(),
    office.ended(),
    calls.ended(),
  ])
  await office.stopClicking()
  await settled(db)
  verdicts.push(await comparePictures('pictures when all is quiet', streams))
  await Promise.all(streams.map((stream) => stream.close()))

  say('the truth is looked for')
  const records = await readRecords(db)
  verdicts.push(
    ...(await judgeCalls(provider, groups, records)),
    {
      what: 'phones registered',
      of: String(registrations.successful),
      faults: registrations.exitCode === 0 ? [] : [registrations.errors.slice(0, 500)],
    },
    ...judgeStreams(streams, records),
    ...(await judgeBooks(provider, db, town, records)),
    await judgePayments(town, made.payments),
    { what: 'edits of two at once', of: `${worth.edits} saved`, faults: worth.overwritten },
    {
      what: 'answers as expected',
      of: 'all requests',
      faults: [...settingUp, ...surprises].map(
        ({ address, status, said }) => `${address}: ${status} ${said}`,
      ),
    },
    await judgeLogs(provider, saidBefore),
  )
  const isRight = printVerdicts(verdicts)
  const delays = streams.map(({ delays: { calling, answered } }) => ({ calling, answered }))
  console.log('\nFrom the switch to the browser; milliseconds')
  console.log('                                                      p50    p95    p99  worst')
  for (const step of ['calling', 'answered'] as const) {
    const times = delays.flatMap((one) => one[step])
    console.log(
      `  ${step.padEnd(30)} ${times.length.toLocaleString('en').padStart(15)} ${percentiles(times)}`,
    )
  }
  const sum = (count: (stream: (typeof streams)[0]) => number) =>
    streams.reduce((total, stream) => total + count(stream), 0).toLocaleString('en')
  console.log(
    `  streams opened ${sum(({ counts }) => counts.openings)} times: ${sum(({ counts }) => counts.resumed)} went on, ${sum(({ counts }) => counts.snapshots)} began with a snapshot`,
  )
  printRequests(requests, SECONDS)
  console.log(
    `\nDone by hand: ${worth.adjustments} adjustments, ${worth.refunds} refunds, ${worth.reviews} reviews, ${made.redeemed} codes redeemed, ${worth.hangUps} calls hung up, ${worth.exportedLines.toLocaleString('en')} lines exported`,
  )
  console.log(`RTP packets relayed: ${(await packetsRelayed(provider)).toLocaleString('en')}`)
  const isFlat = printMemory(grown)
  printWork(worked)
  console.log(
    `load at the end: ${load}\n${isRight && isFlat ? 'Nothing was lost.' : 'FAILED: see the errors above.'}`,
  )
  return isRight && isFlat
}

/** Whether no call is live and no money is held. */
async function settled(handle: Database): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await pause(500)) {
    const live = await handle.selectFrom('live_calls').select('call_id').limit(1).execute()
    const held = await handle
      .selectFrom('accounts')
      .select('user_id')
      .where('held_micros', '!=', 0n)
      .limit(1)
      .execute()
    if (live.length === 0 && held.length === 0) return
  }
}
