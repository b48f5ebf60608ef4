import { type Flow, flowTemplates, pressKey, startSimulation } from '@trunkline/domain/flows'
import { describe, expect, it } from 'vitest'
import { continued, passed } from './transcript.ts'

const flow = flowTemplates.find(({ id }) => id === 'reception')?.flow('UTC') as Flow
const names = new Map()
/** A Tuesday. */
const at = Date.UTC(2026, 10, 17, 10)
const start = () => continued(null, startSimulation(flow, { at }), names)
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text)

describe('the transcript of a simulated call', () => {
  it('tells steps, exits and what the caller hears, in order', () => {
    const { lines } = start()
    expect(texts(lines)).toEqual([
      'Opening hours',
      'Exit: Open',
      'Welcome',
      'Plays “Welcome. To talk to us, press 1. To leave a message, press 2.”',
    ])
    expect(lines.map(({ type }) => type)).toEqual(['step', 'event', 'step', 'heard'])
  })

  it('leaves out no sound when much time passes at once', () => {
    const { lines, simulation } = passed(start(), 300, names)
    expect(simulation.state.isOver).toBe(true)
    expect(texts(lines.filter(({ type }) => type === 'heard'))).toEqual([
      'Plays “Welcome. To talk to us, press 1. To leave a message, press 2.”',
      'Plays “Welcome. To talk to us, press 1. To leave a message, press 2.”',
      'Plays the greeting of your voicemail',
    ])
  })

  it('ends with the reason', () => {
    const run = start()
    const pressed = continued(run, pressKey(run.simulation, '1'), names)
    expect(texts(pressed.lines)).toContain('Exit: Key 1')
    expect(passed(pressed, 600, names).lines.at(-1)).toMatchObject({ type: 'end' })
  })
})
