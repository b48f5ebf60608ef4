import type { FlowSummary } from '@trunkline/contract/flows'
import type { Comparison, Sound, SoundNames, Step, StepKind } from '@trunkline/domain/flows'
import type { BadgeTone } from '../../ui/Badge.tsx'
import { capitalized, describeDestination, describeTimes, deviceWords } from '../numbers/words.ts'

export const kindWords: Record<StepKind, { about: string; keywords: readonly string[] }> = {
  play: { about: 'Plays a sound or a text', keywords: ['say', 'speak', 'announcement', 'greeting'] },
  menu: { about: 'Asks the caller to press a key', keywords: ['ivr', 'keys', 'press', 'choose'] },
  collect: { about: 'Saves digits that the caller types', keywords: ['input', 'pin', 'collect'] },
  hours: { about: 'Continues by time, weekday and holiday', keywords: ['schedule', 'time', 'holidays'] },
  ring: { about: 'Rings your devices or your PBX', keywords: ['phones', 'connect', 'browser', 'dial'] },
  forward: { about: 'Calls another number', keywords: ['transfer', 'mobile', 'dial'] },
  queue: { about: 'Callers wait until you are free', keywords: ['hold', 'music', 'wait'] },
  voicemail: { about: 'Takes a message', keywords: ['mailbox', 'answering machine'] },
  record: { about: 'Starts or stops recording', keywords: ['recording'] },
  set: { about: 'Saves a value for later steps', keywords: ['save', 'remember'] },
  compare: { about: 'Continues by the value of a variable', keywords: ['if', 'condition', 'branch'] },
  http: { about: 'Asks your server what to do', keywords: ['http', 'webhook', 'api', 'url'] },
  mail: { about: 'Sends an email about the call', keywords: ['mail', 'notify'] },
  hangup: { about: 'Ends the call', keywords: ['end', 'stop'] },
}

export const kindGroups: readonly { heading: string; kinds: readonly StepKind[] }[] = [
  { heading: 'Talk to the caller', kinds: ['play', 'menu', 'collect', 'voicemail', 'record'] },
  { heading: 'Connect', kinds: ['ring', 'forward', 'queue', 'hangup'] },
  { heading: 'Decide', kinds: ['hours', 'compare', 'set', 'http', 'mail'] },
]

export const comparisonWords: Record<Comparison, string> = {
  is: 'is',
  is_not: 'is not',
  starts_with: 'starts with',
  contains: 'contains',
  less_than: 'is less than',
  greater_than: 'is greater than',
}

function describeSound(sound: Sound | null, names: SoundNames, none = ''): string {
  if (sound === null) return none
  if (sound.kind === 'file') return names.get(sound.soundId) ?? 'A sound from your library'
  return sound.text.trim() === '' ? 'No text yet' : `“${sound.text.trim()}”`
}

/** What a step does, in one line. */
export function describeStep(step: Step, names: SoundNames): string {
  switch (step.kind) {
    case 'play':
    case 'menu':
      return describeSound(step.sound, names)
    case 'collect':
      return `${digitsWords(step)}, saved as ${step.variable}`
    case 'hours':
      return step.open.map(describeTimes).join(', ') || 'Never open'
    case 'ring':
      return capitalized(describeDestination(step.destination))
    case 'forward':
      return step.number.trim() === '' ? 'No number yet' : `To ${step.number} for ${step.seconds} seconds`
    case 'queue':
      return `Rings ${deviceWords[step.devices]}, up to ${step.maxWaiting} callers wait`
    case 'voicemail':
      return describeSound(step.greeting, names, 'With the greeting of your account')
    case 'record':
      return step.turn === 'on' ? 'Starts recording' : 'Stops recording'
    case 'set':
      return `${step.variable} = ${step.value || '(empty)'}`
    case 'compare':
      return `${step.left || '(empty)'} ${comparisonWords[step.comparison]} ${step.right || '(empty)'}`
    case 'http':
      return step.url
    case 'mail':
      return step.to.trim() === '' ? 'No recipient yet' : `To ${step.to}`
    case 'hangup':
      return 'Ends the call'
  }
}

const digitsWords = ({ minDigits, maxDigits }: { minDigits: number; maxDigits: number }): string =>
  minDigits === maxDigits
    ? `${maxDigits} ${maxDigits === 1 ? 'digit' : 'digits'}`
    : `${minDigits} to ${maxDigits} digits`

/** The state of a flow in a list. */
export function stateOf({ published_version: version, is_changed }: FlowSummary): {
  tone: BadgeTone
  label: string
} {
  if (version === null) return { tone: 'neutral', label: 'Draft' }
  if (is_changed) return { tone: 'pending', label: `Changed since version ${version}` }
  return { tone: 'success', label: `Published version ${version}` }
}
