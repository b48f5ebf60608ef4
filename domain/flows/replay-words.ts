import { destinationText } from '../ringing/index.ts'
import type { Flow } from './flow.ts'
import type { EndReason, FlowAction, FlowEvent, FlowLogEntry, Prompt } from './run.ts'
import { type SoundNames, soundText } from './value-words.ts'
import { exitName, nameOfStep } from './words.ts'

/** One sentence for each line of a replay, and for each action of the simulator. */

export function logText(flow: Flow, entry: FlowLogEntry): string {
  switch (entry.type) {
    case 'entered':
      return `Enters “${nameOfStep(flow, entry.stepId)}”.`
    case 'left':
      return leftText(flow, entry.stepId, entry.exit)
    case 'event':
      return eventText(entry.event)
    case 'ended':
      return endTexts[entry.reason]
  }
}

function leftText(flow: Flow, stepId: string, exit: string | null): string {
  const name = nameOfStep(flow, stepId)
  const kind = flow.steps.find(({ id }) => id === stepId)?.kind
  if (exit === null || kind === undefined) return `The call ends in “${name}”.`
  return `Leaves “${name}” by “${exitName(kind, exit)}”.`
}

const endTexts: Readonly<Record<EndReason, string>> = {
  hangup_step: 'The flow hangs up.',
  no_exit: 'The flow hangs up: this exit leads nowhere.',
  loop: 'The flow hangs up: it went round in circles without a key press or waiting.',
  conversation: 'The conversation is over.',
  caller: 'The call is over.',
}

const legTexts: Readonly<Record<Extract<FlowEvent, { type: 'leg' }>['result'], string>> = {
  answered: 'Somebody answers.',
  no_answer: 'Nobody answers.',
  busy: 'The line is busy.',
  failed: 'The call fails.',
  hung_up: 'The other party hangs up.',
}

const secondsText = (seconds: number): string => {
  const rounded = Math.round(seconds)
  return rounded === 1 ? '1 second' : `${rounded} seconds`
}

export function eventText(event: FlowEvent): string {
  switch (event.type) {
    case 'started':
      return 'The call starts.'
    case 'played':
      return 'The sound ends.'
    case 'play_failed':
      return 'The sound cannot be played.'
    case 'key':
      return `The caller presses ${event.key}.`
    case 'timeout':
      return 'The time is up.'
    case 'leg':
      return event.reason ? `${legTexts[event.result]} Reason: ${event.reason}.` : legTexts[event.result]
    case 'queue':
      return event.position === 1
        ? 'The caller is first in the queue.'
        : `The caller is number ${event.position} in the queue.`
    case 'queue_full':
      return 'The queue is full.'
    case 'message':
      return `The caller leaves a message of ${secondsText(event.seconds)}.`
    case 'message_failed':
      return 'The message cannot be recorded.'
    case 'recording':
      return event.isOn ? 'Recording starts.' : 'Recording stops.'
    case 'recording_failed':
      return 'Recording fails.'
    case 'http':
      return `The server replies with status ${event.status}.`
    case 'http_failed':
      return event.isTimeout ? 'The server does not reply in time.' : `The request fails: ${event.reason}.`
    case 'mailed':
      return 'The email is sent.'
    case 'mail_failed':
      return 'The email cannot be sent.'
    case 'hung_up':
      return 'The caller hangs up.'
  }
}

const promptTexts: Readonly<Record<Prompt, string>> = {
  beep: 'Beep',
  voicemail_greeting: 'Plays the greeting of your voicemail',
  wrong_key: 'Says that the key is wrong',
  queue_position: 'Says the position in the queue',
}

/** For example "Waits 5 seconds". */
export function actionText(action: FlowAction, names: SoundNames = new Map()): string {
  switch (action.type) {
    case 'play': {
      const { sound } = action
      if (sound.kind !== 'prompt') return `Plays ${soundText(sound, names)}`
      return sound.value === undefined
        ? promptTexts[sound.name]
        : `${promptTexts[sound.name]}: ${sound.value}`
    }
    case 'stop_playing':
      return 'Stops the sound'
    case 'wait':
      return `Waits ${secondsText(action.seconds)}`
    case 'stop_waiting':
      return 'Stops waiting'
    case 'ring':
      return action.destination.kind === 'pbx'
        ? `Rings the PBX ${action.destination.address}`
        : `Rings ${destinationText(action.destination)}`
    case 'forward':
      return `Calls +${action.number}`
    case 'cancel_leg':
      return 'Ends the other call'
    case 'enter_queue':
      return 'Puts the caller in the queue'
    case 'leave_queue':
      return 'Takes the caller out of the queue'
    case 'take_message':
      return `Records a message of up to ${secondsText(action.maxSeconds)}`
    case 'turn_recording':
      return action.isOn ? 'Starts recording' : 'Stops recording'
    case 'http':
      return `Sends a request to ${action.url}`
    case 'mail':
      return `Sends an email to ${action.to}`
    case 'hang_up':
      return 'Hangs up'
  }
}
