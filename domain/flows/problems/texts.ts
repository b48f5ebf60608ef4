import { callVariables, type Flow, type Sound, type Step } from '../flow.ts'
import { error, type FlowProblem, type ProblemContext } from './problem.ts'

/** Sounds and the variables in texts. */
export function textProblems(flow: Flow, context: ProblemContext): readonly FlowProblem[] {
  const known = knownVariables(flow)
  return flow.steps.flatMap((step) => [
    ...soundsOf(step).flatMap((sound) => soundProblems(step, sound, context)),
    ...unknownVariables(step, known),
  ])
}

function soundsOf(step: Step): readonly Sound[] {
  switch (step.kind) {
    case 'play':
    case 'menu':
    case 'collect':
      return [step.sound]
    case 'queue':
      return [step.music]
    case 'voicemail':
      return step.greeting ? [step.greeting] : []
    case 'record':
      return step.announcement && step.turn === 'on' ? [step.announcement] : []
    default:
      return []
  }
}

function soundProblems(
  step: Step,
  sound: Sound,
  { soundIds, canSpeak }: ProblemContext,
): readonly FlowProblem[] {
  if (sound.kind === 'file') {
    const isMissing = soundIds !== undefined && !soundIds.includes(sound.soundId)
    return isMissing ? [error(step, 'sound_missing', 'Choose a sound: the one used here was deleted.')] : []
  }
  if (sound.text.trim() === '') return [error(step, 'empty_text', 'Enter the text that callers hear.')]
  return canSpeak === false
    ? [error(step, 'no_speech', 'Texts cannot be spoken on this server. Choose a sound instead.')]
    : []
}

const knownVariables = ({ steps }: Flow): ReadonlySet<string> =>
  new Set([...callVariables, ...steps.flatMap(variablesSetBy)])

function variablesSetBy(step: Step): readonly string[] {
  if (step.kind === 'collect' || step.kind === 'set') return [step.variable]
  return step.kind === 'http' ? step.saves : []
}

function templatesOf(step: Step): readonly string[] {
  switch (step.kind) {
    case 'forward':
      return [step.number]
    case 'set':
      return [step.value]
    case 'compare':
      return [step.left, step.right]
    case 'mail':
      return [step.to, step.subject, step.text]
    default:
      return soundsOf(step).flatMap((sound) => (sound.kind === 'text' ? [sound.text] : []))
  }
}

function unknownVariables(step: Step, known: ReadonlySet<string>): readonly FlowProblem[] {
  const used = templatesOf(step).flatMap((template) => [...template.matchAll(/\{\{([^{}]*)\}\}/g)])
  const unknown = new Set(
    used.map(([, name = '']) => name.trim().replace(/^spell\s+/, '')).filter((name) => !known.has(name)),
  )
  return [...unknown].map((name) =>
    error(step, 'unknown_variable', `No step sets the variable “${name}”. Check its spelling.`),
  )
}
