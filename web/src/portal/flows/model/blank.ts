import { type Flow, newStep, type Step, type StepKind } from '@trunkline/domain/flows'
import { viewersZone } from '../../../common/format/viewer.ts'

type Place = { id: string; x: number; y: number }

/** Opening hours start in the time zone of the customer. */
export const blankStep = (kind: StepKind, place: Place): Step =>
  kind === 'hours' ? { ...newStep('hours', place), timeZone: viewersZone() } : newStep(kind, place)

export const blankFlow = (): Flow => ({
  start: 'hangup_1',
  steps: [blankStep('hangup', { id: 'hangup_1', x: 0, y: 0 })],
})
