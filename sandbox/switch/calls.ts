import type { FromSwitchOf, ToSwitchOf } from '@trunkline/contract/switch-protocol'
import {
  type CallPlan,
  type CallRecord,
  type CallWish,
  type Carrier,
  callPlan,
  isFinal,
  type LiveCall,
  newRecord,
  type PlacedCall,
  talkSeconds,
  wordsOf,
} from './call.ts'
import type { SwitchClock } from './clock.ts'
import type { Events } from './events.ts'
import type { Faults } from './faults.ts'
import type { Link } from './link.ts'
import type { TruthLog } from './truth-log.ts'

/** Timeout for call control's decision. */
const DECISION_MS = 2_000
/** Calls per `live` message; evapi limits the message size. */
const LISTED_AT_ONCE = 200

interface Deps {
  clock: SwitchClock
  faults: Faults
  link: Link
  events: Events
  log: TruthLog
}

/** The calls of the switch, from INVITE to end. Call control decides about prices and permissions. */
export function createCalls({ clock, faults, link, events, log }: Deps) {
  const live = new Map<string, LiveCall>()
  let series = ''
  let placed = 0

  const after = (call: LiveCall, ms: number, run: () => void) => {
    call.cancels.push(clock.at(clock.now() + ms, run))
  }
  const cancelTimers = (call: LiveCall) => {
    for (const cancel of call.cancels.splice(0)) cancel()
  }

  function place(wish: CallWish): PlacedCall {
    const plan = callPlan.parse(wish)
    placed += 1
    const record = newRecord(`${series}-${placed}`, plan, clock.now())
    const decided = Promise.withResolvers<CallRecord>()
    const ended = Promise.withResolvers<CallRecord>()
    const call: LiveCall = {
      record,
      plan,
      state: 'asking',
      trunks: [],
      triedAt: 0,
      cancels: [],
      onDecided: () => decided.resolve(record),
      onEnded: () => ended.resolve(record),
    }
    log.open(record)
    live.set(record.call, call)
    if (link.connections() === 0) turnAway(call, 'unanswered', 503, 'no call control is connected')
    else ask(call)
    return { call: record.call, record, decided: decided.promise, ended: ended.promise }
  }

  function ask(call: LiveCall) {
    const { plan, record } = call
    const question: FromSwitchOf<'authorize'> = {
      type: 'authorize',
      call: record.call,
      at: record.startedAt,
      ...(plan.user !== undefined && { user: plan.user }),
      ...(plan.incoming && {
        direction: 'in' as const,
        from: plan.incoming.from,
        fromName: plan.incoming.name,
      }),
      address: plan.address,
      device: plan.device,
      to: plan.to,
    }
    link.say(question)
    if (faults.get().doubled) link.say(question)
    after(call, DECISION_MS, () => turnAway(call, 'unanswered', 503, 'no call control answered in time'))
    if (plan.givesUpAfterMs !== null)
      after(call, plan.givesUpAfterMs, () => turnAway(call, 'unanswered', 487, 'the caller gave up'))
  }

  /** The call was refused or timed out. After a late `allow`, call control gets a `failed`. */
  function turnAway(call: LiveCall, decision: 'refused' | 'unanswered', code: number, reason: string) {
    decide(call, decision)
    Object.assign(call.record, { code, reason })
    finish(call, code === 487 ? 'caller' : 'control', clock.now())
  }

  function decide(call: LiveCall, decision: CallRecord['decision']) {
    cancelTimers(call)
    Object.assign(call.record, { decision, decidedAt: clock.now() })
    call.onDecided()
  }

  function allow({ call: name, callerId, coveredSeconds, trunks, plan = [] }: ToSwitchOf<'allow'>) {
    const call = live.get(name)
    if (!call) return allowedInVain(name)
    if (call.state !== 'asking') return // only the first answer counts
    decide(call, 'allowed')
    Object.assign(call.record, { callerId, coveredSeconds })
    Object.assign(call, { state: 'trying', trunks: [...trunks, ...plan] })
    const { givesUpAfterMs } = call.plan
    if (givesUpAfterMs !== null) {
      const left = call.record.startedAt + givesUpAfterMs - clock.now()
      after(call, Math.max(0, left), () => giveUp(call))
    }
    tryTrunk(call, 0)
  }

  /** A late `allow` has placed a hold: report `failed`, so that it is released. */
  function allowedInVain(name: string) {
    const record = log.find(name)
    if (record?.decision === 'allowed') return
    const code = record?.code ?? 503
    events.emit({
      type: 'failed',
      call: name,
      at: clock.now(),
      code,
      attempts: [],
      by: code === 487 ? 'caller' : 'control',
    })
  }

  function tryTrunk(call: LiveCall, index: number) {
    const trunk = call.trunks[index]
    if (!trunk) return fail(call, call.record.attempts.at(-1)?.code ?? 503, 'carrier')
    call.record.trunk = trunk.id
    call.triedAt = clock.now()
    const { code, afterMs, ringAfterMs } = carrierOf(call.plan, index, trunk.id)
    const settles = afterMs ?? Number.POSITIVE_INFINITY
    if (ringAfterMs !== null && ringAfterMs < settles) after(call, ringAfterMs, () => ring(call, trunk.id))
    if (afterMs === null) return
    after(call, afterMs, () => {
      endAttempt(call, trunk.id, code)
      if (code < 300) answer(call, trunk.id)
      else if (isFinal(code, ringAfterMs !== null)) fail(call, code, 'carrier')
      else tryTrunk(call, index + 1)
    })
  }

  function endAttempt({ record, triedAt }: LiveCall, trunk: number, code: number) {
    record.attempts.push({ trunk, code, reason: wordsOf(code), at: triedAt, until: clock.now() })
  }

  function carrierOf({ carriers }: CallPlan, index: number, trunk: number): Carrier {
    const broken = faults.get().carriers[trunk]
    if (broken !== undefined) return { code: broken, afterMs: 100, ringAfterMs: null }
    return carriers[Math.min(index, carriers.length - 1)] as Carrier
  }

  /** The callee answers now, whatever was planned. */
  function answerNow(name: string): boolean {
    const call = live.get(name)
    if (!call || call.record.trunk === null || call.state === 'answered') return false
    endAttempt(call, call.record.trunk, 200)
    answer(call, call.record.trunk)
    return true
  }

  function ring(call: LiveCall, trunk: number) {
    const at = clock.now()
    call.state = 'ringing'
    call.record.ringingAt ??= at
    events.emit({ type: 'ringing', call: call.record.call, at, trunk })
  }

  function answer(call: LiveCall, trunk: number) {
    const at = clock.now()
    cancelTimers(call)
    call.state = 'answered'
    Object.assign(call.record, { answeredAt: at, code: 200 })
    log.write('answered', call.record)
    events.emit({ type: 'answered', call: call.record.call, at, trunk })
    awaitTimeout(call, at)
    const { talkMs, hangsUp } = call.plan
    if (talkMs !== null) after(call, talkMs, () => end(call, hangsUp))
  }

  /** Ends the call exactly after its covered seconds, unless it was extended. */
  function awaitTimeout(call: LiveCall, answeredAt: number) {
    const timeoutAt = answeredAt + (call.record.coveredSeconds ?? 0) * 1000
    if (timeoutAt <= clock.now()) end(call, 'timeout')
    else after(call, timeoutAt - clock.now(), () => awaitTimeout(call, answeredAt))
  }

  function extend({ call: name, coveredSeconds }: ToSwitchOf<'extend'>) {
    const record = live.get(name)?.record
    if (record && record.coveredSeconds !== null && !faults.get().ignores.includes('extend'))
      record.coveredSeconds = Math.max(record.coveredSeconds, coveredSeconds)
  }

  function hangUp(name: string, by: 'caller' | 'callee' | 'control'): boolean {
    const call = live.get(name)
    if (!call) return false
    if (call.state === 'answered') end(call, by)
    else if (call.state === 'asking') turnAway(call, 'unanswered', 487, 'given up before a decision')
    else if (by === 'callee') {
      endAttempt(call, call.record.trunk ?? 0, 603)
      fail(call, 603, 'carrier')
    } else giveUp(call, by)
    return true
  }

  function giveUp(call: LiveCall, by: 'caller' | 'control' = 'caller') {
    if (call.record.trunk !== null) endAttempt(call, call.record.trunk, 487)
    fail(call, 487, by)
  }

  function fail(call: LiveCall, code: number, by: 'caller' | 'carrier' | 'control') {
    const { call: name, attempts } = call.record
    const at = clock.now()
    events.emit({ type: 'failed', call: name, at, code, by, attempts })
    Object.assign(call.record, { code, reason: wordsOf(code) })
    finish(call, by, at)
  }

  function end(call: LiveCall, by: 'caller' | 'callee' | 'timeout' | 'control') {
    const { call: name, answeredAt, trunk, attempts } = call.record
    if (answeredAt === null || trunk === null) return
    const at = clock.now()
    const { media } = call.plan
    events.emit({ type: 'ended', call: name, at, answeredAt, trunk, by, attempts, ...(media && { media }) })
    finish(call, by, at)
  }

  /** Uses the reported time: a millisecond later could add a billed second. */
  function finish(call: LiveCall, by: CallRecord['by'], endedAt: number) {
    const { record } = call
    cancelTimers(call)
    live.delete(record.call)
    Object.assign(record, { endedAt, by })
    if (record.answeredAt !== null) record.seconds = talkSeconds(record.answeredAt, endedAt)
    log.close(record)
    call.onEnded()
  }

  /** The list includes calls that wait for a decision, so that call control does not consider them lost. */
  function list({ request }: ToSwitchOf<'list'>) {
    if (faults.get().ignores.includes('list')) return
    const calls = [...live.values()].map(describe)
    do {
      const some = calls.splice(0, LISTED_AT_ONCE)
      link.say({ type: 'live', request, calls: some, last: calls.length === 0 })
    } while (calls.length > 0)
  }

  return {
    place,
    allow,
    refuse({ call: name, code, reason }: ToSwitchOf<'refuse'>) {
      const call = live.get(name)
      if (call?.state === 'asking') turnAway(call, 'refused', code, reason)
    },
    extend,
    hangUp,
    answer: answerNow,
    list,
    live: (): CallRecord[] => [...live.values()].map(({ record }) => ({ ...record })),
    count: () => live.size,
    begin(startedAt: number) {
      series = startedAt.toString(36)
      placed = 0
    },
    /** Simulates a crash: all calls are lost without events. */
    die() {
      for (const call of live.values()) {
        call.onDecided()
        finish(call, 'death', clock.now())
      }
    },
  }
}
export type Calls = ReturnType<typeof createCalls>

function describe({ record, state }: LiveCall): FromSwitchOf<'live'>['calls'][number] {
  const { call, answeredAt, coveredSeconds } = record
  return {
    call,
    state: state === 'asking' || state === 'trying' ? 'authorized' : state,
    ...(answeredAt !== null && { answeredAt }),
    ...(coveredSeconds !== null && { coveredSeconds }),
  }
}
