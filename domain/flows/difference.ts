import { exitsOf, type Flow, type Step } from './flow.ts'
import { type SoundNames, valueText } from './value-words.ts'
import { exitName, nameOfStep, stepName } from './words.ts'

/** How two versions of a flow differ. Positions in the editor do not count. */

export type FieldChange = { readonly field: string; readonly before: string; readonly after: string }

export type FlowChange =
  | { readonly type: 'start'; readonly before: string; readonly after: string }
  | { readonly type: 'added' | 'removed'; readonly stepId: string; readonly name: string }
  | {
      readonly type: 'changed'
      readonly stepId: string
      readonly name: string
      readonly changes: readonly FieldChange[]
    }

export function difference(before: Flow, after: Flow, names: SoundNames = new Map()): readonly FlowChange[] {
  const old = new Map(before.steps.map((step) => [step.id, step]))
  const ids = new Set(after.steps.map(({ id }) => id))
  return [
    ...startChange(before, after),
    ...before.steps
      .filter(({ id }) => !ids.has(id))
      .map((step) => ({ type: 'removed', ...named(step) }) as const),
    ...after.steps.flatMap((step): readonly FlowChange[] => {
      const was = old.get(step.id)
      if (!was) return [{ type: 'added', ...named(step) }]
      const changes = [...fieldChanges(was, step, names), ...exitChanges(before, after, was, step)]
      return changes.length === 0 ? [] : [{ type: 'changed', ...named(step), changes }]
    }),
  ]
}

const named = (step: Step) => ({ stepId: step.id, name: stepName(step) })

const startChange = (before: Flow, after: Flow): readonly FlowChange[] =>
  before.start === after.start
    ? []
    : [{ type: 'start', before: nameOfStep(before, before.start), after: nameOfStep(after, after.start) }]

const notCompared = ['id', 'x', 'y', 'exits']

function fieldChanges(before: Step, after: Step, soundNames: SoundNames): readonly FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !notCompared.includes(name))
  return names.flatMap((name) => {
    const [was, is] = [valueText(old.get(name), soundNames), valueText(now.get(name), soundNames)]
    return was === is ? [] : [{ field: fieldNames[name] ?? name, before: was, after: is }]
  })
}

const fieldsOf = (step: Step): ReadonlyMap<string, unknown> => new Map(Object.entries(step))

/** An exit that leads to the same step has not changed, even if that step has a new name. */
function exitChanges(before: Flow, after: Flow, was: Step, is: Step): readonly FieldChange[] {
  const exits = new Set([...exitsOf(was), ...exitsOf(is)])
  return [...exits]
    .filter((exit) => was.exits[exit] !== is.exits[exit])
    .map((exit) => ({
      field: exitName(is.kind, exit),
      before: targetText(before, was.exits[exit]),
      after: targetText(after, is.exits[exit]),
    }))
}

const targetText = (flow: Flow, id: string | undefined): string =>
  id === undefined ? 'Not connected' : nameOfStep(flow, id)

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  kind: 'Kind',
  sound: 'Sound',
  keys: 'Keys',
  repeats: 'Repeats',
  seconds: 'Seconds',
  variable: 'Variable',
  minDigits: 'Fewest digits',
  maxDigits: 'Most digits',
  endKey: 'End key',
  timeZone: 'Time zone',
  open: 'Opening hours',
  holidays: 'Holidays',
  destination: 'Destination',
  number: 'Number',
  callerId: 'Caller ID',
  music: 'Music',
  announcesPosition: 'Announces the position',
  devices: 'Devices',
  ringSeconds: 'Ring time',
  maxSeconds: 'Longest time',
  maxWaiting: 'Most callers',
  greeting: 'Greeting',
  turn: 'Turn',
  announcement: 'Announcement',
  value: 'Value',
  left: 'Left',
  comparison: 'Comparison',
  right: 'Right',
  url: 'Address',
  saves: 'Saved fields',
  to: 'To',
  subject: 'Subject',
  text: 'Text',
}
