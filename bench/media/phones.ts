import { createSocket, type Socket } from 'node:dgram'
import { keyPayload } from '@trunkline/media/dtmf'
import { writeHeader } from '@trunkline/media/rtp/packet'
import { formatSdp, OWN_CODECS, OWN_KEYS, parseSdp } from '@trunkline/media/sdp'
import { startAgent } from '@trunkline/media/sip/agent'

/** Calls the endpoint, echoes its audio, and presses keys. */
type Phone = { socket: Socket; heard: number; sequence: number; onSound: (() => void) | null }

const HOST = '127.0.0.1'
const SILENCE = 0xd5
const agent = await startAgent({
  host: HOST,
  port: 0,
  advertisedHost: HOST,
  isAllowed: () => true,
  onCall: (call) => call.reject(486, 'Busy Here'),
  onError: (error) => console.error(error),
})
const phones: Phone[] = []

async function call(port: number): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
  const phone: Phone = { socket, heard: 0, sequence: 1, onSound: null }
  socket.on('message', (packet, from) => {
    phone.heard += 1
    if (phone.onSound && packet[92] !== SILENCE) phone.onSound()
    socket.send(packet, from.port, from.address)
  })
  const audio = {
    address: HOST,
    port: socket.address().port,
    codecs: OWN_CODECS,
    keys: OWN_KEYS,
    direction: 'sendrecv',
  } as const
  const body = formatSdp(audio, { id: 1, version: 1, host: HOST })
  const credentials = { username: 'bench', password: '' }
  const uri = `sip:flow@${HOST}:${port}`
  await new Promise<void>((resolve, reject) => {
    agent.place(
      { host: HOST, port, uri, from: `<sip:bench@${HOST}>`, credentials, headers: [], body },
      {
        onRinging() {},
        onFailed: (status, reason) => reject(new Error(`${status} ${reason}`)),
        onAnswered: (answer) => {
          target.set(phone, parseSdp(answer)?.audio.port ?? 0)
          return {
            onOffer: () => ({ status: 488, reason: 'Not Acceptable Here', body: '' }),
            onAnswer() {},
            onInfo() {},
            onEnd() {},
          }
        },
        onSession: () => resolve(),
      },
    )
  })
  phones.push(phone)
}

const target = new Map<Phone, number>()

/** Milliseconds from the first packet of a key to the first packet of the prompt. */
async function press(phone: Phone): Promise<number> {
  const timestamp = Math.floor(Math.random() * 2 ** 32)
  const port = target.get(phone) ?? 0
  const from = performance.now()
  const heard = new Promise<number>((resolve) => {
    phone.onSound = () => {
      phone.onSound = null
      resolve(performance.now() - from)
    }
  })
  for (let at = 1; at <= 6; at++) {
    const packet = Buffer.alloc(16)
    writeHeader(packet, OWN_KEYS, at === 1, phone.sequence++, timestamp, 99)
    packet.set(keyPayload('5', Math.min(at, 5) * 160, at === 6) ?? [], 12)
    phone.socket.send(packet, port, HOST)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const lost = new Promise<number>((resolve) =>
    setTimeout(() => resolve(Number.POSITIVE_INFINITY), 2_000).unref(),
  )
  return Promise.race([heard, lost])
}

type Question = { calls: number; port: number } | { presses: number } | 'echo' | 'heard'

async function answer(question: Question): Promise<unknown> {
  if (question === 'heard') return phones.reduce((sum, phone) => sum + phone.heard, 0)
  if (question === 'echo') {
    const socket = createSocket('udp4')
    socket.on('message', (packet, from) => socket.send(packet, from.port, from.address))
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
    socket.setRecvBufferSize(4 * 1024 * 1024)
    return socket.address().port
  }
  if ('calls' in question) {
    for (let at = 0; at < question.calls; at++) await call(question.port)
    return 'calling'
  }
  const times: number[] = []
  for (let at = 0; at < question.presses; at++) {
    const phone = phones[(at * 37) % phones.length]
    if (phone) times.push(await press(phone))
    await new Promise((resolve) => setTimeout(resolve, 150 * Math.random()))
  }
  return times
}

process.on('message', (question: Question) => {
  answer(question).then(
    (result) => process.send?.(result as object),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
