import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { formatMessage, headersOf, tagOf } from '../../sandbox/carriers/sip-message.ts'
import { startBystander } from './bystander.ts'
import { eventually } from './eventually.ts'
import { allow, startHarness } from './harness.ts'
import type { Forged, Phone, PhoneCall } from './phone.ts'

type FuzzedCall = PhoneCall & Pick<Phone, 'line'>

const STEPS = Number(process.env.FUZZ_STEPS ?? 10_000)
const CALLS_AT_ONCE = 12
const COVERED_SECONDS = 4
const GRACE_MS = 5_000
const CALLER = '127.0.0.41'
const METHODS = [
  ...['BYE', 'INVITE', 'UPDATE', 'INFO', 'ACK', 'CANCEL', 'PRACK', 'OPTIONS', 'NOTIFY', 'REFER', 'MESSAGE'],
  ...['SUBSCRIBE', 'PUBLISH', 'REGISTER', 'bye', 'NOSUCH'],
]
const EXTRAS: [string, string][] = [
  ['Require', 'nosuch'],
  ['Proxy-Require', 'nosuch'],
  ['Replaces', 'x;to-tag=1;from-tag=2'],
  ['Max-Forwards', '0'],
  ['Content-Type', 'application/sdp'],
  ['Session-Expires', '90;refresher=uas'],
  ['Expires', '0'],
  ['TH', 'dc'],
]

/** Seeded random numbers, so that a failure can be reproduced. */
function randomFrom(seed: number) {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, oneOf: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item }
}

it(`${STEPS} random in-dialog requests leave no uncharged carrier leg and reach no third party`, async () => {
  const { below, oneOf } = randomFrom(3261)
  const bystander = await startBystander('127.0.0.67')
  const harness = await startHarness({ workers: 4 })
  try {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 5 })
    const peer = await harness.peer({
      authorize: () => allow([carrier], { coveredSeconds: COVERED_SECONDS }),
      addresses: [CALLER],
    })
    const evil = `sip:x@${bystander.host}:${bystander.port}`
    const calls: FuzzedCall[] = []

    async function newCall(): Promise<void> {
      const phone = await harness.phone({ from: CALLER })
      const call = { ...(await phone.call('442071234567')), line: phone.line }
      // A busy machine may refuse a call; the next one replaces it.
      if ((await call.ended).status === 200) calls.push(call)
    }

    function forgedFor(call: FuzzedCall): Forged {
      const { from, to, target, routes } = call.names()
      const tags = oneOf([
        {},
        {},
        {},
        { From: to, To: from },
        { To: `${evil};tag=${tagOf(to)}` },
        { From: `<${evil}>;tag=${tagOf(from)}` },
        { To: '<sip:x@y>;tag=other' },
      ])
      return {
        ...tags,
        uri: oneOf([
          target,
          target,
          evil,
          `${evil};transport=tcp`,
          `${target};alias=127.0.0.67~${bystander.port}~1`,
          `${target};maddr=127.0.0.67`,
          `tel:+1`,
          `sip:442071234567@127.0.0.1:${harness.sipPort}`,
        ]),
        routes: oneOf([
          routes,
          routes,
          [],
          [`<${evil};lr>`],
          [...routes, `<${evil};lr>`],
          [`<${evil};transport=tcp;lr>`, ...routes],
          ['<sip:'],
        ]),
        ...oneOf([
          {},
          {},
          {},
          { cseq: 0 },
          { cseq: 1 },
          { cseq: below(100) },
          { cseq: 2_147_483_647 },
          { cseq: 2_139_999_999 },
          { cseq: 4_294_967_295 },
        ]),
        ...oneOf([
          {},
          {},
          { Contact: `<${evil}>` },
          { Contact: `<${evil};transport=tcp>` },
          { Contact: '<sip:x@y;alias=127.0.0.67~5060~1>' },
        ]),
      }
    }

    /** Forges a reply of the carrier. */
    function forgeAnswer(call: FuzzedCall): void {
      const seen = oneOf(call.received())
      if (!seen) return
      const { from, to } = call.names()
      const method = oneOf(['BYE', 'INVITE', 'CANCEL'])
      const branch = `z9hG4bK${below(65_536).toString(16)}.${below(2 ** 31)
        .toString(16)
        .padStart(32, '0')}.0`
      call.line.send(
        formatMessage({
          status: oneOf([200, 481, 183, 404]),
          reason: 'Forged',
          headers: [
            ['Via', `SIP/2.0/UDP 127.0.0.1:${harness.sipPort};branch=${branch}`],
            ...headersOf(seen, 'via').map((value): [string, string] => ['Via', value]),
            ['From', from],
            ['To', to],
            ['Call-ID', call.callId],
            ['CSeq', `${below(20)} ${method}`],
            ['Contact', `<${evil}>`],
          ],
          body: '',
        }),
      )
    }

    function step(): void {
      const at = below(calls.length)
      const call = calls[at]
      if (!call) return
      const chance = below(200)
      if (chance === 0) carrier.hangUp(call.callId)
      else if (chance === 1) carrier.reinviteAll('sendonly')
      else if (chance < 6) peer.send({ type: 'hangup', call: nameOf(call), reason: 'fuzz' })
      else if (chance < 20) forgeAnswer(call)
      else {
        const method = oneOf(METHODS)
        const more = below(5) === 0 ? [oneOf(EXTRAS)] : []
        call.forge(method, forgedFor(call), more, below(3) === 0 ? call.offer : '')
      }
      // Some calls stay in the list, to send requests after their end.
      if (call.requests('BYE').length > 0 && below(10) === 0) calls.splice(at, 1)
    }

    const nameOf = (call: FuzzedCall): string =>
      peer.all('authorize').find(({ sip }) => sip === call.callId)?.call ?? ''

    /** Carrier legs without a charged call, and since when. */
    const orphans = new Map<string, number>()
    async function checkLegs(): Promise<void> {
      const request = `legs ${Date.now()} ${below(2 ** 30)}`
      peer.send({ type: 'list', request })
      const pages = await eventually(() => {
        const said = peer.all('live').filter((one) => one.request === request)
        return said.some(({ last }) => last) && said
      }, 'list of live calls')
      const charged = new Set(pages.flatMap(({ calls: listed }) => listed.map(({ call }) => call)))
      const sipOf = new Map(peer.all('authorize').map(({ call, sip }) => [sip, call]))
      const up = carrier.liveCallIds()
      for (const id of orphans.keys()) if (!up.includes(id)) orphans.delete(id)
      for (const id of up) {
        if (charged.has(sipOf.get(id) ?? '')) orphans.delete(id)
        else if (!orphans.has(id)) orphans.set(id, Date.now())
      }
      const old = [...orphans].filter(([, since]) => Date.now() - since > GRACE_MS)
      expect(old).toEqual([])
    }

    for (let steps = 0; steps < STEPS; steps++) {
      if (calls.length < CALLS_AT_ONCE && steps % 20 === 0) await newCall()
      step()
      // Do not exceed the switch's capacity; floods.test.ts covers floods.
      if (steps % 25 === 24) await pause(20)
      if (steps % 500 === 499) {
        await checkLegs()
        // Remove most of the calls that have ended.
        const ended = new Set(peer.all('ended').map(({ call }) => call))
        for (const call of calls.splice(0)) if (!ended.has(nameOf(call)) || below(4) === 0) calls.push(call)
      }
    }
    for (const deadline = Date.now() + 30_000; carrier.liveCallIds().length > 0; await pause(200)) {
      await checkLegs()
      expect(Date.now(), 'carrier legs still up').toBeLessThan(deadline)
    }
    const admitted = peer.all('authorize').map(({ call }) => call)
    const over = () => new Set([...peer.all('ended'), ...peer.all('failed')].map(({ call }) => call))
    await eventually(() => admitted.every((call) => over().has(call)), '`ended` or `failed` for every call')
    expect(peer.all('answered').length).toBeGreaterThan(STEPS / 500)
    expect(bystander.contacts).toEqual([])
  } finally {
    await harness.close()
    await bystander.close()
  }
}, 180_000)
