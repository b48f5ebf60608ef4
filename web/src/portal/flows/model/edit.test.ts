import type { Flow, Step } from '@trunkline/domain/flows'
import { describe, expect, it } from 'vitest'
import { arrange, inOrder } from './arrange.ts'
import { blankFlow, blankStep } from './blank.ts'
import { addStep, changeStep, connect, freeId, heightOf, pasteStep, removeStep, stepOf } from './edit.ts'
import { edited, redone, startHistory, undone } from './history.ts'
import { isSameFlow } from './same.ts'

const menu: Step = {
  ...(blankStep('menu', { id: 'menu_1', x: 0, y: 0 }) as Step<'menu'>),
  name: 'Main menu',
  exits: { key_1: 'hangup_1', key_2: 'menu_1', timeout: 'hangup_1' },
}
const flow: Flow = { start: 'menu_1', steps: [menu, ...blankFlow().steps] }

describe('edits of a flow', () => {
  it('adds a step and connects an exit to it', () => {
    const play = blankStep('play', { id: freeId(flow, 'play'), x: 300, y: 0 })
    const changed = addStep(flow, play, { stepId: 'menu_1', exit: 'wrong_key' })
    expect(changed.steps).toHaveLength(3)
    expect(stepOf(changed, 'menu_1')?.exits.wrong_key).toBe('play_1')
  })

  it('makes the first step of an empty flow its start', () => {
    const empty: Flow = { start: '', steps: [] }
    expect(addStep(empty, menu).start).toBe('menu_1')
  })

  it('disconnects the exit of a key that the menu no longer has', () => {
    const changed = changeStep(flow, 'menu_1', { keys: ['2'] })
    expect(stepOf(changed, 'menu_1')?.exits).toEqual({ key_2: 'menu_1', timeout: 'hangup_1' })
  })

  it('removes a step with all connections to it', () => {
    const changed = removeStep(flow, 'hangup_1')
    expect(changed.steps).toHaveLength(1)
    expect(stepOf(changed, 'menu_1')?.exits).toEqual({ key_2: 'menu_1' })
    expect(removeStep(flow, 'menu_1').start).toBe('hangup_1')
  })

  it('disconnects an exit', () => {
    const changed = connect(flow, { stepId: 'menu_1', exit: 'key_1' }, null)
    expect(stepOf(changed, 'menu_1')?.exits).not.toHaveProperty('key_1')
  })

  it('pastes a copy that leads to the same steps and covers no other', () => {
    const { flow: changed, id } = pasteStep(flow, menu)
    const copy = stepOf(changed, id)
    expect(copy).toMatchObject({ id: 'menu_2', name: 'Main menu (copy)', exits: menu.exits })
    expect(copy?.y).toBeGreaterThanOrEqual(heightOf(menu))
  })

  it('leaves out connections to steps that another flow does not have', () => {
    const { flow: changed, id } = pasteStep(blankFlow(), { ...menu, exits: { key_1: 'gone' } })
    expect(stepOf(changed, id)?.exits).toEqual({})
  })
})

describe('undo and redo', () => {
  const renamed = (name: string) => changeStep(flow, 'menu_1', { name })

  it('undoes typing as one edit, and redoes it', () => {
    let history = startHistory(flow)
    for (const name of ['N', 'Ne', 'New']) history = edited(history, renamed(name), 'menu_1.name')
    const before = undone(history)
    expect(before?.present).toBe(flow)
    expect(before && redone(before)?.present).toEqual(renamed('New'))
    expect(before && undone(before)).toBeNull()
  })

  it('forgets what was undone when the flow is edited again', () => {
    const history = edited(startHistory(flow), renamed('A'))
    const before = undone(history) ?? history
    expect(redone(edited(before, renamed('B')))).toBeNull()
  })
})

describe('the arrangement', () => {
  it('places each step to the right of all steps that lead to it, without overlaps', () => {
    const voicemail = blankStep('voicemail', { id: 'voicemail_1', x: 0, y: 0 })
    const ring = { ...blankStep('ring', { id: 'ring_1', x: 0, y: 0 }), exits: { no_answer: 'voicemail_1' } }
    const first = { ...menu, exits: { key_1: 'ring_1', key_2: 'voicemail_1', timeout: 'menu_1' } }
    const alone = blankStep('play', { id: 'play_1', x: 0, y: 0 })
    const other = { ...ring, id: 'ring_2' }
    const steps = [
      voicemail,
      { ...first, exits: { ...first.exits, wrong_key: 'ring_2' } },
      ring,
      other,
      alone,
    ]
    const placed = arrange({ start: 'menu_1', steps: steps as Step[] })
    const [above, below] = placed.steps.filter(({ kind }) => kind === 'ring').sort((a, b) => a.y - b.y)
    expect(above?.x).toBe(below?.x)
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeGreaterThan(heightOf(ring as Step))
    const xOf = (id: string) => stepOf(placed, id)?.x ?? 0
    expect(xOf('menu_1')).toBeLessThan(xOf('ring_1'))
    expect(xOf('ring_1')).toBeLessThan(xOf('voicemail_1'))
    expect(xOf('voicemail_1')).toBeLessThan(xOf('play_1'))
    expect(inOrder(placed).map(({ id }) => id)).toEqual([
      'menu_1',
      'ring_1',
      'ring_2',
      'voicemail_1',
      'play_1',
    ])
  })
})

it('compares flows without the order of their fields', () => {
  const { start, steps } = flow
  const turned = { steps: steps.map((step) => Object.fromEntries(Object.entries(step).reverse())), start }
  expect(isSameFlow(flow, turned as unknown as Flow)).toBe(true)
  expect(isSameFlow(flow, changeStep(flow, 'menu_1', { x: 1 }))).toBe(false)
})
