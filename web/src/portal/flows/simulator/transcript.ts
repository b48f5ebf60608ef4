import {
  actionText,
  eventText,
  exitName,
  type FlowLogEntry,
  letTimePass,
  logText,
  nameOfStep,
  type Simulation,
  type SoundNames,
  secondsToNext,
  worksOf,
} from '@trunkline/domain/flows'

/** A line of the transcript: a step, what the caller hears, what happens, or the end. */
export type Line = {
  /** Seconds since the start. */
  readonly seconds: number
  readonly type: 'step' | 'heard' | 'event' | 'end'
  readonly text: string
}

export type Run = { readonly simulation: Simulation; readonly lines: readonly Line[] }

/** Adds what happened since `before`. */
export function continued(before: Run | null, simulation: Simulation, names: SoundNames): Run {
  const log = simulation.log.slice(before?.simulation.log.length ?? 0)
  const sound = soundOf(simulation)
  const isNew = sound !== undefined && sound !== (before && soundOf(before.simulation))
  const seconds = Math.round((simulation.now - simulation.startedAt) / 1000)
  return {
    simulation,
    lines: [
      ...(before?.lines ?? []),
      ...log.flatMap((entry) => lineOf(simulation, entry)),
      ...(isNew ? [{ seconds, type: 'heard', text: actionText(sound, names) } as const] : []),
    ],
  }
}

const soundOf = (simulation: Simulation) => worksOf(simulation).find(({ type }) => type === 'play')

function lineOf({ flow, startedAt }: Simulation, entry: FlowLogEntry): Line[] {
  const seconds = Math.round((entry.at - startedAt) / 1000)
  switch (entry.type) {
    case 'entered':
      return [{ seconds, type: 'step', text: nameOfStep(flow, entry.stepId) }]
    case 'left': {
      const kind = flow.steps.find(({ id }) => id === entry.stepId)?.kind
      return entry.exit && kind
        ? [{ seconds, type: 'event', text: `Exit: ${exitName(kind, entry.exit)}` }]
        : []
    }
    case 'event':
      return entry.event.type === 'started' ? [] : [{ seconds, type: 'event', text: eventText(entry.event) }]
    case 'ended':
      return [{ seconds, type: 'end', text: logText(flow, entry) }]
  }
}

/** Lets time pass from one event to the next, so that no sound is left out. */
export function passed(run: Run, seconds: number, names: SoundNames): Run {
  let current = run
  let left = seconds
  for (;;) {
    const next = secondsToNext(current.simulation)
    if (next === null || next > left) return { ...current, simulation: letTimePass(current.simulation, left) }
    left -= next
    current = continued(current, letTimePass(current.simulation, next), names)
  }
}
