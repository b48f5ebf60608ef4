import type { Flow, Step, StepKind } from './flow.ts'

/** Names of steps and exits. */

const kindNames: Readonly<Record<StepKind, string>> = {
  play: 'Play',
  menu: 'Menu',
  collect: 'Ask for digits',
  hours: 'Opening hours',
  ring: 'Ring',
  forward: 'Forward',
  queue: 'Queue',
  voicemail: 'Voicemail',
  record: 'Record call',
  set: 'Set variable',
  compare: 'Compare',
  http: 'Web request',
  mail: 'Send email',
  hangup: 'Hang up',
}

export const kindName = (kind: StepKind): string => kindNames[kind]

/** The name that the customer gave, or the kind. */
export const stepName = ({ name, kind }: Pick<Step, 'name' | 'kind'>): string => name.trim() || kindName(kind)

export function nameOfStep(flow: Flow, id: string): string {
  const found = flow.steps.find((step) => step.id === id)
  return found ? stepName(found) : id
}

const exitNames: Readonly<Record<string, string>> = {
  next: 'Then',
  failed: 'Failed',
  timeout: 'No key pressed',
  wrong_key: 'Wrong key',
  invalid: 'Wrong input',
  open: 'Open',
  closed: 'Closed',
  holiday: 'Holiday',
  no_answer: 'No answer',
  busy: 'Busy',
  full: 'Queue full',
  yes: 'Yes',
  no: 'No',
}

const ownExitNames: Partial<Record<StepKind, Readonly<Record<string, string>>>> = {
  collect: { timeout: 'Nothing typed' },
  queue: { timeout: 'Waited too long' },
  voicemail: { next: 'After the message' },
  http: { timeout: 'No reply in time' },
}

/** For example "Key 1" for `key_1`. */
export const exitName = (kind: StepKind, exit: string): string =>
  exit.startsWith('key_')
    ? `Key ${exit.slice('key_'.length)}`
    : (ownExitNames[kind]?.[exit] ?? exitNames[exit] ?? exit)
