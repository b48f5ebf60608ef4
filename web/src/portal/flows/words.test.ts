import { exportFlow, stepKinds } from '@trunkline/domain/flows'
import { describe, expect, it } from 'vitest'
import { blankFlow, blankStep } from './model/blank.ts'
import { readFlowFile } from './model/file.ts'
import { describeStep, kindGroups, stateOf } from './words.ts'

const summary = {
  id: 1,
  name: 'Main line',
  published_at: null,
  updated_at: '2026-11-17T10:00:00.000Z',
  step_count: 1,
  numbers: [],
}

describe('words of flows', () => {
  it.each([
    [null, true, 'Draft'],
    [3, false, 'Published version 3'],
    [3, true, 'Changed since version 3'],
  ])('version %s, changed: %s is “%s”', (published_version, is_changed, label) => {
    expect(stateOf({ ...summary, published_version, is_changed }).label).toBe(label)
  })

  it('offers and describes every kind of step', () => {
    const offered = kindGroups.flatMap(({ kinds }) => kinds)
    expect(offered.toSorted()).toEqual(stepKinds.toSorted())
    for (const kind of stepKinds)
      expect(describeStep(blankStep(kind, { id: 'a', x: 0, y: 0 }), new Map())).not.toBe('undefined')
  })

  it('reads exported files, and says why others cannot be read', () => {
    const flow = blankFlow()
    expect(readFlowFile(exportFlow({ name: 'A', flow }), 'b.json')).toEqual({ name: 'A', flow })
    expect(readFlowFile(exportFlow({ name: '', flow }), 'b.json')).toMatchObject({ name: 'b' })
    expect(readFlowFile('{', 'b.json')).toContain('not JSON')
    expect(readFlowFile('[]', 'b.json')).toContain('no flow')
  })
})
