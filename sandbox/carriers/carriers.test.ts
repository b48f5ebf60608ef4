import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { tonePacket } from './media.ts'
import {
  audioDescription,
  formatMessage,
  headerOf,
  mediaTarget,
  parseMessage,
  type SipMessage,
} from './sip-message.ts'
import { demoNumbers, startDemoCarrier } from './start.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Calls a number at the demo carrier and collects the replies. */
async function call(number: string) {
  const carrier = await startDemoCarrier({ host: '127.0.0.1', port: 0 })
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  ends.push(
    () => carrier.close(),
    () => socket.close(),
  )
  const own = `127.0.0.1:${socket.address().port}`
  const heard: SipMessage[] = []
  let packets = 0
  socket.on('message', (bytes) => {
    const message = parseMessage(bytes.toString('latin1'))
    if (message) heard.push(message)
    else packets += 1
  })
  const send = (method: string, cseq: number, to: string, body = '') =>
    socket.send(
      formatMessage({
        method,
        uri: `sip:${number}@127.0.0.1:${carrier.port}`,
        headers: [
          ['Via', `SIP/2.0/UDP ${own};branch=z9hG4bK${method}`],
          ['Record-Route', '<sip:127.0.0.1:9;lr>'],
          ['From', `<sip:caller@${own}>;tag=1`],
          ['To', to],
          ['Call-ID', 'one'],
          ['CSeq', `${cseq} ${method}`],
          ['Contact', `<sip:caller@${own}>`],
        ],
        body,
      }),
      carrier.port,
      '127.0.0.1',
    )
  send('INVITE', 1, '<sip:callee@demo>', audioDescription('127.0.0.1', socket.address().port))
  const until = async <Found>(look: () => Found | undefined | false): Promise<Found> => {
    for (
      const deadline = Date.now() + 5_000;
      Date.now() < deadline;
      await new Promise((r) => setTimeout(r, 10))
    ) {
      const found = look()
      if (found) return found
    }
    throw new Error('condition not met')
  }
  const answer = (status: number) => until(() => heard.find((message) => message.status === status))
  return { carrier, socket, heard, packets: () => packets, send, answer, until }
}

const numberFor = (what: RegExp) =>
  `44207123${demoNumbers.find((entry) => what.test(entry.what))?.ending ?? ''}`

describe('the demo carrier', () => {
  it('rings, answers and echoes audio until the caller hangs up', async () => {
    const { carrier, socket, packets, send, answer, until } = await call('442071234500')
    await answer(180)
    const answered = await answer(200)
    expect(headerOf(answered, 'record-route')).toBe('<sip:127.0.0.1:9;lr>')
    send('ACK', 1, headerOf(answered, 'to'))
    const target = mediaTarget(answered.body)
    for (let i = 0; i < 5; i++) socket.send(tonePacket(i), target?.port ?? 0, target?.address)
    await until(() => packets() === 5)
    expect(carrier.live()).toBe(1)
    send('BYE', 2, headerOf(answered, 'to'))
    await until(() => carrier.live() === 0)
  })

  it('sends a tone', async () => {
    const { packets, answer, until } = await call(numberFor(/tone/))
    await answer(200)
    await until(() => packets() > 10)
  })

  it('replies busy', async () => {
    const { answer } = await call(numberFor(/busy/))
    expect((await answer(486)).reason).toBe('Busy Here')
  })

  it('rings without answering, and accepts a CANCEL', async () => {
    const { answer, send } = await call(numberFor(/never/))
    await answer(180)
    send('CANCEL', 1, '<sip:callee@demo>')
    await answer(487)
  })
})
