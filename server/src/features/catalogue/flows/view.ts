import type {
  FlowDetail,
  FlowSummary,
  FlowVersion,
  QueueView,
  VersionSummary,
  WaitingView,
} from '@trunkline/contract/flows'
import { SECOND } from '../../../platform/clock.ts'
import type {
  FlowSummaryRow,
  QueueRow,
  ShownFlowRow,
  VersionRow,
  VersionSummaryRow,
  WaitingRow,
} from './store.ts'

export const viewFlow = (row: FlowSummaryRow): FlowSummary => ({
  id: row.id,
  name: row.name,
  published_version: row.published_version,
  published_at: row.published_at?.toISOString() ?? null,
  is_changed: row.is_changed,
  updated_at: row.updated_at.toISOString(),
  step_count: row.step_count,
  numbers: row.numbers,
})

export const viewFlowDetail = (row: ShownFlowRow): FlowDetail => ({
  ...viewFlow(row),
  draft: row.draft,
  secret: row.secret,
  version: row.version,
})

export const viewVersionSummary = (row: VersionSummaryRow): VersionSummary => ({
  number: row.number,
  note: row.note,
  published_at: row.published_at.toISOString(),
  published_by: row.published_by_name,
})

export const viewVersion = (row: VersionRow): FlowVersion => ({ ...viewVersionSummary(row), flow: row.flow })

export const viewWaiting = (row: WaitingRow, now: Date): WaitingView => ({
  caller: row.caller,
  caller_name: row.caller_name,
  entered_at: row.entered_at.toISOString(),
  waited_seconds: Math.max(0, Math.floor((now.getTime() - row.entered_at.getTime()) / SECOND)),
})

/** `waiting` is in order of arrival. */
export const viewQueues = (
  queues: readonly QueueRow[],
  waiting: readonly WaitingRow[],
  now: Date,
): QueueView[] =>
  queues.map((queue) => ({
    flow_id: queue.flow_id,
    flow_name: queue.flow_name,
    step_id: queue.step_id,
    step_name: queue.step_name,
    waiting: waiting
      .filter((row) => row.flow_id === queue.flow_id && row.step_id === queue.step_id)
      .map((row) => viewWaiting(row, now)),
  }))
