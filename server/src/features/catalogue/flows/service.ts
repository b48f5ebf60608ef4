import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import type {
  FlowDetail,
  FlowSummary,
  FlowVersion,
  QueueView,
  VersionSummary,
} from '@trunkline/contract/flows'
import { FLOWS_MAX } from '@trunkline/contract/limits'
import { type Caller, type Owner, ownDataOf } from '@trunkline/domain/access'
import { type Flow, type FlowProblem, problemsOf } from '@trunkline/domain/flows'
import { type Clock, HOUR } from '../../../platform/clock.ts'
import { type Database, refuseDuplicate } from '../../../platform/database.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import { newToken } from '../../../platform/tokens.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import { type Speech, spokenLimit } from '../sounds/speech.ts'
import { type ForwardRefusal, findRefused, forwardNumbers, readProblemFacts } from './problem-facts.ts'
import { speakTexts } from './spoken-texts.ts'
import {
  countFlowsLocked,
  deleteFlow,
  deleteOldVersions,
  FLOW_NAME_INDEX,
  type FlowRow,
  findFlow,
  findVersion,
  insertFlow,
  insertVersion,
  isRecordingAllowed,
  listFlows,
  listQueues,
  listVersions,
  listWaiting,
  lockFlow,
  updateFlow,
} from './store.ts'
import { viewFlow, viewFlowDetail, viewQueues, viewVersion, viewVersionSummary, viewWaiting } from './view.ts'

export type Flows = ReturnType<typeof createFlows>

const VERSIONS_KEPT = 100
/** Every version is stored. */
const PUBLISHED_PER_HOUR = 120

type Deps = {
  db: Database
  clock: Clock
  attempts: AttemptLimits
  speech: Speech
  forwardRefusal: ForwardRefusal
}

/** IVR flows that customers draw. Calls use the published version. */
export function createFlows({ db, clock, attempts, speech, forwardRefusal }: Deps) {
  async function show(owner: Owner, id: number): Promise<FlowDetail> {
    return viewFlowDetail(requireFound(await findFlow(db, owner, id)))
  }

  async function lock(tx: Database, owner: Owner, id: number): Promise<FlowRow> {
    return requireFound(await lockFlow(tx, owner, id))
  }

  return {
    list: async (caller: Caller): Promise<FlowSummary[]> =>
      (await listFlows(db, ownDataOf(caller))).map(viewFlow),

    get: (caller: Caller, id: number): Promise<FlowDetail> => show(ownDataOf(caller), id),

    async create(caller: Caller, { name, flow }: { name: string; flow: Flow }): Promise<FlowDetail> {
      const now = clock.now()
      const id = await db
        .transaction()
        .execute(async (tx) => {
          if ((await countFlowsLocked(tx, caller.userId)) >= FLOWS_MAX) throw new Refusal('too_many_flows')
          return insertFlow(tx, {
            user_id: caller.userId,
            name,
            draft: JSON.stringify(flow),
            secret: newToken(),
            created_at: now,
            updated_at: now,
          })
        })
        .catch(orTaken)
      return show(ownDataOf(caller), id)
    },

    async save(
      caller: Caller,
      id: number,
      { name, flow, version }: { name?: string | undefined; flow?: Flow | undefined; version: number },
    ): Promise<FlowDetail> {
      const owner = ownDataOf(caller)
      await db
        .transaction()
        .execute(async (tx) => {
          const before = await lock(tx, owner, id)
          requireUnchanged(before.version, version)
          await updateFlow(tx, owner, id, {
            ...(name !== undefined && { name }),
            ...(flow && { draft: JSON.stringify(flow) }),
            updated_at: clock.now(),
            version: version + 1,
          })
        })
        .catch(orTaken)
      return show(owner, id)
    },

    async remove(caller: Caller, id: number): Promise<void> {
      const owner = ownDataOf(caller)
      await db.transaction().execute(async (tx) => {
        await lock(tx, owner, id)
        // Reads the numbers after the lock: a ring plan that is being saved holds the flow.
        const row = await findFlow(tx, owner, id)
        if (row && row.numbers.length > 0) throw new Refusal('flow_in_use')
        await deleteFlow(tx, owner, id)
      })
    },

    /** An unchanged draft is not published again. */
    async publish(
      caller: Caller,
      id: number,
      { version, note }: { version: number; note: string },
    ): Promise<FlowDetail> {
      const owner = ownDataOf(caller)
      const limit = {
        key: `flows published by user ${caller.userId}`,
        max: PUBLISHED_PER_HOUR,
        windowMs: HOUR,
      }
      await attempts.require([limit])
      const found = requireFound(await findFlow(db, owner, id))
      requireUnchanged(found.version, version)
      if (!found.is_changed) return viewFlowDetail(found)
      const { draft } = found
      const { unreachable } = await findRefused(caller, forwardNumbers(draft), forwardRefusal)
      // Speech is expensive, so all other problems are found before. The transaction checks again.
      refuseProblems(problemsOf(draft, await readProblemFacts(db, caller, { unreachable, canSpeak: true })))
      const takeAttempt = () => attempts.take([spokenLimit(caller.userId)])
      const canSpeak = await speakTexts(draft, { speech, clock, takeAttempt })
      await db.transaction().execute(async (tx) => {
        const { version: current } = await lock(tx, owner, id)
        requireUnchanged(current, version)
        const row = await findFlow(tx, owner, id)
        if (!row?.is_changed) return
        refuseProblems(problemsOf(row.draft, await readProblemFacts(tx, caller, { unreachable, canSpeak })))
        const number = await insertVersion(tx, {
          flowId: id,
          flow: row.draft,
          note,
          publishedAt: clock.now(),
          publishedBy: caller.userId,
        })
        await updateFlow(tx, owner, id, { published_version: number })
        await deleteOldVersions(tx, owner, id, VERSIONS_KEPT)
      })
      return show(owner, id)
    },

    /** Facts for the problems that an editor shows while a flow is drawn. */
    async check(caller: Caller, numbers: readonly string[]): Promise<AnswerOf<'GET /api/flow-checks'>> {
      const { unreachable, unpaid } = await findRefused(caller, numbers, forwardRefusal)
      return {
        unreachable: [...unreachable],
        unpaid: [...unpaid],
        can_record: await isRecordingAllowed(db, caller.userId),
      }
    },

    async versions(caller: Caller, id: number): Promise<VersionSummary[]> {
      const owner = ownDataOf(caller)
      await show(owner, id)
      return (await listVersions(db, owner, id)).map(viewVersionSummary)
    },

    async version(caller: Caller, asked: { id: number; number: number }): Promise<FlowVersion> {
      return viewVersion(requireFound(await findVersion(db, ownDataOf(caller), asked)))
    },

    async waiting(caller: Caller, id: number): Promise<AnswerOf<'GET /api/flows/:id/waiting'>['waiting']> {
      const owner = ownDataOf(caller)
      await show(owner, id)
      const rows = await listWaiting(db, owner)
      return rows
        .filter(({ flow_id }) => flow_id === id)
        .map((row) => ({ step_id: row.step_id, ...viewWaiting(row, clock.now()) }))
    },

    async queues(caller: Caller): Promise<QueueView[]> {
      const owner = ownDataOf(caller)
      return viewQueues(await listQueues(db, owner), await listWaiting(db, owner), clock.now())
    },
  }
}

/** Warnings do not prevent publishing. */
function refuseProblems(problems: readonly FlowProblem[]): void {
  const faults = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ stepId, exit, text }) => ({
      field: ['flow', stepId, exit].filter((part) => part != null).join('.'),
      message: text,
    }))
  if (faults.length > 0) throw new Refusal('flow_has_problems', undefined, faults)
}

const orTaken = refuseDuplicate(FLOW_NAME_INDEX, 'name_taken')
