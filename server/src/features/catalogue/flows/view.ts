import type { FlowDetail, FlowSummary, FlowVersion } from '@trunkline/contract/flows'
import type { ShownFlowRow, VersionRow } from './store.ts'

export const viewFlow = (row: ShownFlowRow): FlowSummary => ({
  id: row.id,
  name: row.name,
  published_version: row.published_version,
  published_at: row.published_at?.toISOString() ?? null,
  is_changed: row.is_changed,
  updated_at: row.updated_at.toISOString(),
  step_count: row.draft.steps.length,
  numbers: row.numbers,
})

export const viewFlowDetail = (row: ShownFlowRow): FlowDetail => ({
  ...viewFlow(row),
  draft: row.draft,
  secret: row.secret,
  version: row.version,
})

export const viewVersion = (row: VersionRow): FlowVersion => ({
  number: row.number,
  note: row.note,
  published_at: row.published_at.toISOString(),
  published_by: row.published_by_name,
  flow: row.flow,
})
