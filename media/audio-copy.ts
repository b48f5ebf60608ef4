import type { AudioCopy } from './endpoint.ts'
import type { RtpSession } from './rtp/session.ts'
import { type Description, formatSdp } from './sdp.ts'

type Options = {
  readonly openRtp: (onKey: (key: string) => void) => RtpSession
  readonly offered: Description
  /** Our address in SDP. */
  readonly host: string
}

/** Receives one stream, and sends nothing. */
export function createAudioCopy({ openRtp, offered, host }: Options): AudioCopy {
  const keyListeners = new Set<(key: string) => void>()
  const rtp = openRtp((key) => {
    for (const listener of keyListeners) listener(key)
  })
  const { codecs, keys } = offered.audio
  rtp.hear(offered.audio)
  const own = { address: host, port: rtp.port, codecs, keys, direction: 'recvonly' } as const
  return {
    answer: formatSdp(own, { id: rtp.port, version: 1, host }, offered.lines),
    listen: (sink) => rtp.listen(sink),
    onKey: (listener) => void keyListeners.add(listener),
    quietMs: () => rtp.quietMs(),
    close: () => rtp.close(),
  }
}
