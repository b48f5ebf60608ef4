import type { CallFlow } from '@trunkline/contract/call-flows'
import type { CdrRecord } from '@trunkline/contract/cdr'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import { type Replay, replayOf } from '@trunkline/domain/flows'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { CallRecords } from '../cdr/service.ts'
import { readLoggedFlow } from './store.ts'

export type CallFlows = {
  find(caller: Caller, id: string): Promise<CallFlow | null>
  findAny(caller: Caller, id: string): Promise<CallFlow | null>
}

/** The way of a call through a flow, from the log that the media process wrote. */
export function createCallFlows(db: Database, records: Pick<CallRecords, 'legsOf'>): CallFlows {
  async function flowOf(owner: Owner, id: string): Promise<CallFlow | null> {
    const { callId, legs } = await records.legsOf(owner, id)
    const logged = await readLoggedFlow(db, owner, callId)
    if (!logged) return null
    const { version, log, stepsOfLegs } = logged
    const { steps, end } = replayOf(version?.flow ?? { start: '', steps: [] }, log)
    return {
      flow: version && { id: version.flowId, name: version.name, version: version.number },
      steps: viewSteps(
        steps,
        legs.map((leg) => ({ leg, step: stepsOfLegs.get(leg.uniqueid) ?? likelyStep(steps, leg) })),
      ),
      end,
    }
  }

  return {
    find: (caller, id) => flowOf(ownDataOf(caller), id),
    findAny: (caller, id) => flowOf(everyonesData(caller), id),
  }
}

/** `step` is the position of the step that called the leg, from 1. */
type LegOfStep = { readonly leg: CdrRecord; readonly step: number }

function viewSteps(steps: Replay['steps'], legs: readonly LegOfStep[]): CallFlow['steps'] {
  const startedAt = steps[0]?.enteredAt ?? 0
  return steps.map((step, index) => ({
    position: index + 1,
    step_id: step.stepId,
    name: step.name,
    kind: step.kind,
    entered_at: new Date(step.enteredAt).toISOString(),
    seconds: secondsBetween(startedAt, step.enteredAt),
    took_seconds: step.leftAt === null ? null : secondsBetween(step.enteredAt, step.leftAt),
    keys: step.keys,
    exit: step.exit,
    events: [...step.events],
    legs: legs.filter((each) => each.step === index + 1).map(({ leg }) => viewLeg(leg)),
  }))
}

const secondsBetween = (from: number, to: number): number => (to - from) / SECOND

/** Clocks of two processes may differ this much. */
const CLOCK_DIFFERENCE = SECOND

/** Earlier releases did not store the step of a leg: the last step that can call and that was entered before it. */
const likelyStep = (steps: Replay['steps'], { started_at: startedAt }: CdrRecord): number =>
  steps.findLastIndex(
    ({ kind, enteredAt }) =>
      (kind === null || kind === 'ring' || kind === 'forward' || kind === 'queue') &&
      enteredAt <= Date.parse(startedAt) + CLOCK_DIFFERENCE,
  ) + 1

const viewLeg = ({ id, destination, status, duration, cost }: CdrRecord) => ({
  id,
  destination,
  status,
  duration,
  cost,
})
