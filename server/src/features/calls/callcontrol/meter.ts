import type { CallReason, CallStatus } from '@trunkline/domain/callcontrol'
import type { Metrics } from '../../../platform/metrics.ts'

export type Meter = ReturnType<typeof createMeter>

/** A caller waits at most 1.5 s for a decision. */
const ANSWER_BOUNDS = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1, 1.5, 2]

/**
 * Metrics of call control. Every call control gets every request, but only one of them starts, refuses or ends a call and counts it.
 * Therefore the sum over all processes is correct.
 */
export function createMeter(metrics: Metrics) {
  const answers = metrics.histogram({
    name: 'trunkline_authorize_seconds',
    help: 'Time from the request of a switch to the answer of this process.',
    labels: ['answer'],
    bounds: ANSWER_BOUNDS,
  })
  const admitted = metrics.counter({ name: 'trunkline_calls_admitted_total', help: 'Admitted calls.' })
  const refused = metrics.counter({
    name: 'trunkline_calls_refused_total',
    help: 'Refused calls, by reason.',
    labels: ['reason'],
  })
  const notRecorded = metrics.counter({
    name: 'trunkline_calls_refused_unrecorded_total',
    help: 'Refused calls without a record, because their caller was refused too often.',
    labels: ['reason'],
  })
  const refusedBySwitch = metrics.counter({
    name: 'trunkline_calls_refused_by_switch_total',
    help: 'Calls that an overloaded switch refused. Every call control counts all of them.',
  })
  const answered = metrics.counter({
    name: 'trunkline_calls_answered_total',
    help: 'Answered calls.',
  })
  const ended = metrics.counter({
    name: 'trunkline_calls_ended_total',
    help: 'Ended calls, by status and reason.',
    labels: ['status', 'reason'],
  })
  const talked = metrics.counter({
    name: 'trunkline_call_seconds_total',
    help: 'Answered seconds of ended calls.',
  })
  const charged = metrics.counter({
    name: 'trunkline_call_charges_dollars_total',
    help: 'Amount charged for ended calls.',
  })

  return {
    answeredQuestion: (answer: 'allow' | 'refuse', ms: number): void => answers.observe(ms / 1000, answer),
    admitted: (): void => admitted.add(1),
    refused: (reason: CallReason): void => refused.add(1, reason),
    refusedUnrecorded(reason: CallReason): void {
      refused.add(1, reason)
      notRecorded.add(1, reason)
    },
    refusedBySwitch: (count: number): void => refusedBySwitch.add(count),
    answered: (): void => answered.add(1),
    ended(call: { status: CallStatus; reason: CallReason; seconds: number; costMicros: bigint }): void {
      ended.add(1, call.status, call.reason)
      talked.add(call.seconds)
      charged.add(Number(call.costMicros) / 1e6)
    },
  }
}

type Status = {
  switches: readonly { isReady: boolean; pendingEvents: number }[]
  configuredSwitches: number
  liveCalls: number
  isTrusted: boolean
  waiting: number
  refusalsWaiting: number
}

/** Metrics of the process itself. */
export function watchControl(metrics: Metrics, status: () => Status): void {
  metrics.gauge(
    {
      name: 'trunkline_switches',
      help: 'Switches by state: configured, connected, and ready after the comparison of calls.',
      labels: ['state'],
    },
    () => {
      const { switches, configuredSwitches } = status()
      return [
        { labels: ['configured'], value: configuredSwitches },
        { labels: ['connected'], value: switches.length },
        { labels: ['ready'], value: switches.filter(({ isReady }) => isReady).length },
      ]
    },
  )
  metrics.gauge(
    { name: 'trunkline_control_calls', help: 'Live calls known to this process.' },
    () => status().liveCalls,
  )
  metrics.gauge(
    {
      name: 'trunkline_control_trusted',
      help: '1 while the prices and accounts in memory are up to date.',
    },
    () => Number(status().isTrusted),
  )
  metrics.gauge(
    {
      name: 'trunkline_control_waiting',
      help: 'Items that wait for the database.',
      labels: ['what'],
    },
    () => {
      const { waiting, refusalsWaiting, switches } = status()
      const events = switches.reduce((sum, { pendingEvents }) => sum + pendingEvents, 0)
      return [
        { labels: ['questions'], value: waiting },
        { labels: ['events'], value: events },
        { labels: ['refusals'], value: refusalsWaiting },
      ]
    },
  )
}
