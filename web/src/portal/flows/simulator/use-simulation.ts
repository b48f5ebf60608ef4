import {
  type Flow,
  type Simulation as SimulatedCall,
  type SoundNames,
  startSimulation,
} from '@trunkline/domain/flows'
import { useMemo, useState } from 'react'
import { continued, passed, type Run } from './transcript.ts'

export type Simulation = {
  run: Run | null
  isRunning: boolean
  /** The steps of the call so far. */
  visited: readonly string[]
  visitOf: (stepId: string) => 'now' | 'past' | 'none'
  hasTaken: (stepId: string, exit: string) => boolean
  start: (options: { at: number; caller: string }) => void
  act: (change: (call: SimulatedCall) => SimulatedCall) => void
  pass: (seconds: number) => void
  stop: () => void
}

type Sounds = readonly { id: number; name: string; seconds: number }[]

/** A call without a telephone. It stays on the flow with which it started. */
export function useSimulation(flow: Flow, names: SoundNames, sounds: Sounds = []): Simulation {
  const [run, setRun] = useState<Run | null>(null)
  return useMemo(() => {
    const current = run?.simulation.state.stepId ?? null
    const log = run?.simulation.log ?? []
    const visited = log.flatMap((entry) => (entry.type === 'entered' ? entry.stepId : []))
    return {
      run,
      isRunning: run !== null,
      visited,
      visitOf: (id) => (id === current ? 'now' : visited.includes(id) ? 'past' : 'none'),
      hasTaken: (id, exit) =>
        log.some((entry) => entry.type === 'left' && entry.stepId === id && entry.exit === exit),
      start({ at, caller }) {
        const soundSeconds = Object.fromEntries(sounds.map(({ id, seconds }) => [id, seconds]))
        const variables = { caller, caller_name: '', called: '', started_at: new Date(at).toISOString() }
        setRun(continued(null, startSimulation(flow, { at, variables, soundSeconds }), names))
      },
      act: (change) => setRun((now) => now && continued(now, change(now.simulation), names)),
      pass: (seconds) => setRun((now) => now && passed(now, seconds, names)),
      stop: () => setRun(null),
    }
  }, [run, flow, names, sounds])
}
