import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type BencodedDictionary, type Decoded, decodeBencode, encodeBencode } from './bencode.ts'

/** The control port of an rtpengine (its `ng` protocol: bencoded commands over UDP). */
export type Rtpengine = {
  /** Rejects with an `RtpengineError` if rtpengine refuses the command or does not reply. */
  ask(command: string, fields: BencodedDictionary): Promise<Reply>
  close(): void
}

export type Reply = { readonly [key: string]: Decoded }

export class RtpengineError extends Error {
  override name = 'RtpengineError'
}

/** rtpengine did not reply. It may have carried out the command. */
export class RtpengineSilence extends RtpengineError {
  override name = 'RtpengineSilence'
}

type Options = {
  readonly host: string
  readonly port: number
  /** rtpengine answers a repeated command with the same reply, so a repetition is safe. */
  readonly repeatAfterMs?: number
  readonly tries?: number
}

const REPEAT_AFTER_MS = 500
const TRIES = 6

/** The socket is connected, so the kernel drops replies of all others. rtpengine may be down: commands are rejected until it is back. */
export async function connectRtpengine(options: Options): Promise<Rtpengine> {
  const { host, port, repeatAfterMs = REPEAT_AFTER_MS, tries = TRIES } = options
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  const waiting = new Map<string, (reply: Decoded | null) => void>()
  const session = randomBytes(6).toString('hex')
  let counter = 0

  // A closed port is reported by ICMP. The timeout of the command tells it too.
  socket.on('error', () => {})
  socket.on('message', (packet) => {
    const space = packet.indexOf(' ')
    if (space < 0) return
    waiting.get(packet.toString('latin1', 0, space))?.(decodeBencode(packet.subarray(space + 1)))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(port, host, () => {
      socket.removeListener('error', reject)
      resolve()
    })
  }).catch((error: unknown) => {
    socket.close()
    throw error
  })
  socket.unref()

  /** Null without a reply. */
  function exchange(command: string, fields: BencodedDictionary): Promise<Decoded | null> {
    const cookie = `${session}-${++counter}`
    const packet = Buffer.concat([Buffer.from(`${cookie} `), encodeBencode({ command, ...fields })])
    return new Promise((resolve) => {
      let left = tries
      const finish = (reply: Decoded | null) => {
        clearInterval(timer)
        waiting.delete(cookie)
        resolve(reply)
      }
      const send = () => {
        if (left === 0) return finish(null)
        left -= 1
        socket.send(packet, () => {})
      }
      const timer = setInterval(send, repeatAfterMs)
      waiting.set(cookie, finish)
      send()
    })
  }

  return {
    async ask(command, fields) {
      const reply = await exchange(command, fields)
      if (!isReply(reply)) throw new RtpengineSilence(`no reply to ${command}`)
      if (reply.result === 'ok' || reply.result === 'pong') return reply
      throw new RtpengineError(`${command}: ${String(reply['error-reason'] ?? reply.result)}`)
    },
    close() {
      for (const finish of [...waiting.values()]) finish(null)
      socket.close()
    },
  }
}

const isReply = (value: Decoded | null): value is Reply =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
