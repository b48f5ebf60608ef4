import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  choicesOf,
  choose,
  type Flow,
  type FlowAction,
  type FlowEvent,
  type FlowLogEntry,
  type FlowState,
  hangUp,
  keys,
  letTimePass,
  MAX_STEPS_WITHOUT_KEY,
  pressKey,
  type Simulation,
  type Stepped,
  startSimulation,
  step,
} from './index.ts'
import { START } from './test/examples.ts'
import { checkPath } from './test/paths.ts'
import { anyEvents, anyFlow } from './test/random.ts'

const runs = { numRuns: 400 }

/** Every result, in order. The state goes through JSON each time, as if it was stored. */
function resultsOf(flow: Flow, events: readonly FlowEvent[]): readonly Stepped[] {
  let state: FlowState | null = null
  return events.map((event) => {
    const result = step(flow, state, event)
    state = JSON.parse(JSON.stringify(result.state)) as FlowState
    expect(state).toEqual(result.state)
    return result
  })
}

const eventsIn = (log: readonly FlowLogEntry[]): readonly FlowEvent[] =>
  log.flatMap((entry) => (entry.type === 'event' ? [entry.event] : []))

const logOf = (results: readonly Stepped[]) => results.flatMap(({ log }) => log)

/** Checks that a leg, and a place in a queue, ends before the next one starts and with the call. */
function checkWork(results: readonly Stepped[]) {
  let [hasLeg, isQueued] = [false, false]
  const take = (action: FlowAction) => {
    if (action.type === 'ring' || action.type === 'forward') {
      expect(hasLeg).toBe(false)
      hasLeg = true
    }
    if (action.type === 'enter_queue') {
      expect(isQueued).toBe(false)
      isQueued = true
    }
    if (action.type === 'cancel_leg') hasLeg = false
    if (action.type === 'leave_queue') isQueued = false
  }
  for (const { actions, log } of results) {
    for (const event of eventsIn(log)) {
      if (event.type === 'leg' && event.result !== 'answered') hasLeg = false
      if (event.type === 'queue_full') isQueued = false
    }
    actions.forEach(take)
  }
  expect({ hasLeg, isQueued }).toEqual({ hasLeg: false, isQueued: false })
}

describe('a random flow with random events', () => {
  const hungUp = (events: readonly FlowEvent[]): readonly FlowEvent[] => [
    ...events,
    { at: (events.at(-1)?.at ?? START) + 1, type: 'hung_up' },
  ]

  test('does a limited number of things for each event, and ends when the caller hangs up', () => {
    fc.assert(
      fc.property(anyFlow, anyEvents, (flow, events) => {
        const results = resultsOf(flow, hungUp(events))
        for (const { actions, log } of results) {
          expect(actions.length).toBeLessThan(10)
          expect(log.length).toBeLessThanOrEqual(2 * MAX_STEPS_WITHOUT_KEY + 3)
        }
        const last = results.at(-1)?.state as FlowState
        expect(last).toMatchObject({ isOver: true, stepId: null, phase: null })
        expect(logOf(results).filter(({ type }) => type === 'ended')).toHaveLength(1)
        const later = step(flow, last, { at: START, type: 'key', key: '1' })
        expect(later).toEqual({ state: last, actions: [], log: [] })
      }),
      runs,
    )
  })

  test('leaves each step by an exit that it has, to the step that is drawn there', () => {
    fc.assert(
      fc.property(anyFlow, anyEvents, (flow, events) => checkPath(flow, logOf(resultsOf(flow, events)))),
      runs,
    )
  })

  test('never starts a leg before the last one has ended, and ends all work with the call', () => {
    fc.assert(
      fc.property(anyFlow, anyEvents, (flow, events) => checkWork(resultsOf(flow, hungUp(events)))),
      runs,
    )
  })

  test('does the same again when the logged events are replayed', () => {
    fc.assert(
      fc.property(anyFlow, anyEvents, (flow, events) => {
        const results = resultsOf(flow, events)
        const again = resultsOf(flow, eventsIn(logOf(results)))
        expect(logOf(again)).toEqual(logOf(results))
        expect(again.flatMap(({ actions }) => actions)).toEqual(results.flatMap(({ actions }) => actions))
        expect(again.at(-1)?.state).toEqual(results.at(-1)?.state)
      }),
      runs,
    )
  })
})

describe('the simulator', () => {
  const command: fc.Arbitrary<(simulation: Simulation) => Simulation> = fc.oneof(
    fc.constantFrom(...keys).map((key) => (simulation: Simulation) => pressKey(simulation, key)),
    fc
      .integer({ min: 1, max: 60 })
      .map((seconds) => (simulation: Simulation) => letTimePass(simulation, seconds)),
    fc.nat({ max: 9 }).map((number) => (simulation: Simulation) => {
      const choices = choicesOf(simulation)
      const choice = choices[number % Math.max(1, choices.length)]
      return choice ? choose(simulation, choice.event) : simulation
    }),
  )
  const commands = fc.array(command, { maxLength: 40 })

  test('agrees with the interpreter', () => {
    fc.assert(
      fc.property(anyFlow, commands, (flow, given) => {
        const start = startSimulation(flow, { at: START, variables: { caller: '4930123' } })
        const simulation = given.reduce((current, act) => act(current), start)
        const results = resultsOf(flow, eventsIn(simulation.log))
        expect(logOf(results)).toEqual(simulation.log)
        expect(results.at(-1)?.state).toEqual(simulation.state)
        checkWork(resultsOf(flow, eventsIn(hangUp(simulation).log)))
      }),
      runs,
    )
  })

  test('always has something to wait for, so no call hangs', () => {
    fc.assert(
      fc.property(anyFlow, commands, (flow, given) => {
        let current = startSimulation(flow, { at: START })
        for (const act of given) {
          current = act(current)
          const { state, work } = current
          const works = Object.values(work).filter((each) => each !== undefined)
          const isTalking = work.leg !== undefined && work.leg.end === null
          expect(state.isOver || isTalking || works.some(({ end }) => end !== null)).toBe(true)
        }
      }),
      runs,
    )
  })
})
