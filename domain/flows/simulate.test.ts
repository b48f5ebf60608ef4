import { describe, expect, test } from 'vitest'
import {
  actionText,
  choicesOf,
  choose,
  type Flow,
  flowTemplates,
  hangUp,
  letTimePass,
  logText,
  pressKey,
  type Simulation,
  secondsToNext,
  startSimulation,
  worksOf,
} from './index.ts'
import { START, stepOfKind, text } from './test/examples.ts'

const reception = flowTemplates[0]?.flow('UTC') as Flow
const start = (flow: Flow = reception) =>
  startSimulation(flow, { at: START, variables: { caller: '4930123' } })
const doing = (simulation: Simulation) => worksOf(simulation).map((action) => actionText(action))
const labels = (simulation: Simulation) => choicesOf(simulation).map(({ label }) => label)
const by = (simulation: Simulation, label: string) => {
  const choice = choicesOf(simulation).find((each) => each.label === label)
  if (!choice) throw new Error(`no choice "${label}"`)
  return choose(simulation, choice.event)
}

describe('the simulator', () => {
  test('goes through the reception with a key', () => {
    const welcome = start()
    expect(doing(welcome)).toEqual(['Plays “Welcome. To talk to us, press 1. To leave a message, press 2.”'])
    const ringing = pressKey(welcome, '1')
    expect(doing(ringing)).toEqual(['Rings phones and browsers'])
    expect(labels(ringing)).toEqual(['Answer', 'No answer', 'Busy', 'Fail'])
    const talking = by(ringing, 'Answer')
    expect(labels(talking)).toEqual(['The other party hangs up'])
    expect(letTimePass(talking, 600).state.isOver).toBe(false)
    const over = by(talking, 'The other party hangs up')
    expect(over.state.isOver).toBe(true)
    expect(over.log.map((entry) => logText(reception, entry))).toEqual([
      'The call starts.',
      'Enters “Opening hours”.',
      'Leaves “Opening hours” by “Open”.',
      'Enters “Welcome”.',
      'The caller presses 1.',
      'Leaves “Welcome” by “Key 1”.',
      'Enters “Ring”.',
      'Somebody answers.',
      'The other party hangs up.',
      'The call ends in “Ring”.',
      'The conversation is over.',
    ])
  })

  test('lets sounds end, timers expire and phones ring in vain', () => {
    const welcome = start()
    const seconds = secondsToNext(welcome) ?? 0
    expect(seconds).toBeGreaterThan(2)
    const waiting = letTimePass(welcome, seconds)
    expect(doing(waiting)).toEqual(['Waits 5 seconds'])
    expect(doing(letTimePass(waiting, 4.9))).toEqual(['Waits 5 seconds'])
    expect(doing(letTimePass(waiting, 5))[0]).toContain('Welcome')
    const greeting = letTimePass(waiting, 5 + seconds + 5 + 25)
    expect(doing(greeting)).toEqual(['Plays the greeting of your voicemail'])
    expect(labels(letTimePass(greeting, 3))).toEqual(['Leave a message', 'The message fails'])
    expect(by(letTimePass(greeting, 3), 'Leave a message').state.isOver).toBe(true)
    expect(letTimePass(start(), 10_000).state.isOver).toBe(true)
  })

  test('plays on if the end key follows the last possible digit', () => {
    const pin = stepOfKind('collect', { maxDigits: 2, endKey: '#', exits: { next: 'menu' } })
    const asked = [...'12'].reduce(pressKey, start({ start: pin.id, steps: [pin, stepOfKind('menu')] }))
    expect(doing(pressKey(asked, '#'))).toEqual(doing(asked))
    expect(doing(pressKey(letTimePass(asked, 2.1), '#'))).not.toEqual(doing(asked))
  })

  test('moves a caller through a queue', () => {
    const flow: Flow = { start: 'queue', steps: [stepOfKind('queue', { music: text('la') })] }
    const third = by(start(flow), 'Number 3 in the queue')
    expect(labels(third)).toEqual([
      'First in the queue',
      'Number 2 in the queue',
      'The sound ends',
      'The sound cannot be played',
    ])
    const first = by(third, 'First in the queue')
    expect(doing(first)).toContain('Rings phones and browsers')
    expect(by(first, 'Answer').work.queue).toBeUndefined()
    expect(by(start(flow), 'The queue is full').state.isOver).toBe(true)
    expect(letTimePass(start(flow), 310).state.isOver).toBe(true)
  })

  test('offers results of requests, and runs into their timeout', () => {
    const http = stepOfKind('http', { saves: ['name'], exits: { next: 'mail' } })
    const flow: Flow = { start: 'http', steps: [http, stepOfKind('mail')] }
    const asking = start(flow)
    expect(doing(asking)).toEqual(['Sends a request to https://crm.example/calls'])
    expect(doing(by(asking, 'Reply'))).toEqual(['Sends an email to ada@example.com'])
    const named = choose(asking, { type: 'http', status: 200, variables: { name: 'Ada' } })
    expect(named.state.variables.name).toBe('Ada')
    const late = letTimePass(asking, 5)
    expect(late.log).toContainEqual({ at: START + 5000, type: 'left', stepId: 'http', exit: 'timeout' })
  })

  test('ends when the caller hangs up', () => {
    const over = hangUp(start())
    expect(over).toMatchObject({ state: { isOver: true }, work: {} })
    expect(labels(over)).toEqual([])
    expect(secondsToNext(over)).toBeNull()
  })
})
