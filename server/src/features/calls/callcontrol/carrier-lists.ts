import type { ToSwitchOf } from '@trunkline/contract/switch-protocol'
import type { Logger } from 'pino'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { normalSource, splitSource } from '../../catalogue/snapshot/numbers.ts'
import { chunksOf, spellings } from './phones.ts'
import type { Session } from './session.ts'

type Deps = {
  logger: Logger
  catalogue: Catalogue
  isLoaded: () => boolean
  sessions: () => Iterable<Session>
}

/** A message may have 32,000 bytes; a source has at most 60, a carrier with its credentials about 500. */
const MAX_SOURCES = 200
const MAX_REGISTRATIONS = 60

/** Sends switches the addresses of carriers that may send calls, and the carriers at which they register. */
export function createCarrierLists({ logger, catalogue, isLoaded, sessions }: Deps) {
  /** The last lists sent to each switch. A new list of registrations may register again, so it is sent only after a change. */
  const sent = new WeakMap<Session, { sources: string; registers: string }>()

  function sourcesToSend(): string[] {
    const active = [...catalogue.carriers()].filter(({ isActive }) => isActive)
    const sources = active.flatMap((carrier) => carrier.sources.map(normalSource))
    return [...new Set(sources.flatMap(spelledSources))].sort()
  }

  function registrationsToSend(): ToSwitchOf<'registers'>['trunks'] {
    const all = [...catalogue.carriers()].flatMap(({ id, host, port, transport, isActive, registration }) =>
      isActive && registration ? { id, host, port, transport, ...registration } : [],
    )
    if (all.length > MAX_REGISTRATIONS) logger.error({ trunks: all.length }, 'too many trunks register')
    return all.slice(0, MAX_REGISTRATIONS)
  }

  function greet(session: Session): void {
    if (session.isDemo || !isLoaded()) return
    const sources = sourcesToSend()
    const trunks = registrationsToSend()
    const lists = { sources: JSON.stringify(sources), registers: JSON.stringify(trunks) }
    const before = sent.get(session)
    sent.set(session, lists)
    if (before?.sources !== lists.sources) {
      const [first = [], ...others] = chunksOf(sources, MAX_SOURCES)
      session.send({ type: 'sources', clear: true, add: first })
      for (const add of others) session.send({ type: 'sources', clear: false, add })
    }
    if (before?.registers !== lists.registers) session.send({ type: 'registers', trunks })
  }

  return {
    /** After hello, and after each change. */
    greet,
    onCarriers(): void {
      for (const session of sessions()) greet(session)
    },
  }
}

/** Kamailio writes all eight groups of an IPv6 address, without brackets. */
function spelledSources(source: string): string[] {
  const { host, port } = splitSource(source)
  return spellings(host).map((spelling) => (port === null ? spelling : `${spelling}:${port}`))
}
