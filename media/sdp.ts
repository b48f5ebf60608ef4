import { isIP } from 'node:net'
import type { Law } from './g711.ts'

/** SDP for one audio stream of G.711 and telephone events (RFC 4566, RFC 3264). */

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export type Codec = { readonly type: number; readonly law: Law }

/** The audio of the other side, as in its SDP. */
export type Audio = {
  readonly address: string
  /** Zero rejects the stream. */
  readonly port: number
  /** In the order of preference. */
  readonly codecs: readonly Codec[]
  /** Payload type of telephone events at 8,000 Hz. Null if there is none. */
  readonly keys: number | null
  /** As the other side sees it. */
  readonly direction: Direction
}

export type Description = {
  readonly audio: Audio
  /** The media lines in order; null is the chosen audio. An answer rejects all others. */
  readonly lines: readonly (string | null)[]
}

const MAX_LINES = 500
const STATIC: ReadonlyMap<number, Law> = new Map([
  [0, 'ulaw'],
  [8, 'alaw'],
])

/** Null if there is no audio that we can use. */
export function parseSdp(text: string): Description | null {
  const lines = text.split(/\r?\n/, MAX_LINES)
  const starts = lines.flatMap((line, at) => (line.startsWith('m=') ? [at] : []))
  const session = lines.slice(0, starts[0] ?? lines.length)
  const sections = starts.map((start, at) => lines.slice(start, starts[at + 1]))
  const audios = sections.map((section) => audioOf(section, session))
  const chosen = audios.findIndex((audio) => audio !== null)
  const audio = audios[chosen]
  if (!audio) return null
  return { audio, lines: sections.map((section, at) => (at === chosen ? null : (section[0] ?? ''))) }
}

function audioOf(section: readonly string[], session: readonly string[]): Audio | null {
  const media = /^m=audio (\d{1,5})(?:\/\d+)? RTP\/AVP((?: \d{1,3})+)\s*$/.exec(section[0] ?? '')
  const address = addressIn(section) ?? addressIn(session)
  if (!media || !address) return null
  const names = new Map<number, string>()
  for (const line of section) {
    const map = /^a=rtpmap:(\d{1,3}) ([\w.-]+\/\d+)/.exec(line)
    if (map) names.set(Number(map[1]), (map[2] ?? '').toLowerCase())
  }
  const types = (media[2] ?? '').trim().split(' ').map(Number)
  const codecs = types.flatMap((type): Codec[] => {
    const law = lawOf(names.get(type), type)
    return law ? [{ type, law }] : []
  })
  const port = Number(media[1])
  if (codecs.length === 0 || port === 0 || port > 65_535) return null
  return {
    address,
    port,
    codecs,
    keys: types.find((type) => names.get(type) === 'telephone-event/8000') ?? null,
    // An address of zeros is the old way to put a call on hold.
    direction: /^(0\.0\.0\.0|::)$/.test(address)
      ? 'inactive'
      : (directionIn(section) ?? directionIn(session) ?? 'sendrecv'),
  }
}

function lawOf(name: string | undefined, type: number): Law | undefined {
  if (name === 'pcma/8000') return 'alaw'
  if (name === 'pcmu/8000') return 'ulaw'
  return name === undefined ? STATIC.get(type) : undefined
}

function addressIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const match = /^c=IN IP[46] ([0-9A-Fa-f.:]+)\s*$/.exec(line)
    if (match) return isIP(match[1] ?? '') ? (match[1] ?? null) : null
  }
  return null
}

function directionIn(lines: readonly string[]): Direction | null {
  for (const line of lines) {
    const match = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/.exec(line)
    if (match) return match[1] as Direction
  }
  return null
}

const MIRROR: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
}

/** What to answer to a direction. */
export const mirrored = (direction: Direction): Direction => MIRROR[direction]

/** Whether the side with this direction wants audio. */
export const receives = (direction: Direction): boolean =>
  direction === 'sendrecv' || direction === 'recvonly'

export const OWN_KEYS = 101
export const OWN_CODECS: readonly Codec[] = [
  { type: 8, law: 'alaw' },
  { type: 0, law: 'ulaw' },
]

export type Origin = { readonly id: number; readonly version: number; readonly host: string }

/** `lines` are the media lines of the offer that this answers. */
export function formatSdp(audio: Audio, origin: Origin, lines: readonly (string | null)[] = [null]): string {
  const family = audio.address.includes(':') ? 'IP6' : 'IP4'
  const originFamily = origin.host.includes(':') ? 'IP6' : 'IP4'
  const types = [...audio.codecs.map(({ type }) => type), ...(audio.keys === null ? [] : [audio.keys])]
  const own = [
    `m=audio ${audio.port} RTP/AVP ${types.join(' ')}`,
    ...audio.codecs.map(({ type, law }) => `a=rtpmap:${type} ${law === 'alaw' ? 'PCMA' : 'PCMU'}/8000`),
    ...(audio.keys === null
      ? []
      : [`a=rtpmap:${audio.keys} telephone-event/8000`, `a=fmtp:${audio.keys} 0-15`]),
    'a=ptime:20',
    `a=${audio.direction}`,
  ]
  const sections = lines.flatMap((line) => (line === null ? own : [rejected(line)]))
  const head = [
    'v=0',
    `o=- ${origin.id} ${origin.version} IN ${originFamily} ${origin.host}`,
    's=-',
    `c=IN ${family} ${audio.address}`,
    't=0 0',
  ]
  return `${[...head, ...sections].join('\r\n')}\r\n`
}

/** The same media line with port 0. */
const rejected = (line: string): string => line.replace(/^(m=\S+) \d+(?:\/\d+)?/, '$1 0')
