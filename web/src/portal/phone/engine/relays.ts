import type { Relays } from '@trunkline/contract/phone'
import { api } from '../../../app/api.ts'

const RENEW_BEFORE_MS = 12 * 60 * 60_000
/** Longest wait for the relay's address after the browser has found its own. */
const RELAY_WITHIN_MS = 2_000

export type IceEvent = { candidate: RTCIceCandidate; ready: () => void }
export type Paths = {
  configuration(): Promise<RTCConfiguration>
  /** For one description. Sends it as soon as it has a relay, instead of waiting for every server. */
  onCandidate(): (event: IceEvent) => void
}

/** The ICE servers of a phone. Their credentials expire, so a phone that is connected for long renews them before a call. */
export function createPaths(given: Relays): Paths {
  let relays = given

  return {
    async configuration() {
      const isOld = Date.parse(relays.expires_at) - Date.now() < RENEW_BEFORE_MS
      if (relays.servers.length > 0 && isOld) relays = await api('GET /api/phone/relays').catch(() => relays)
      return { iceServers: relays.servers, iceTransportPolicy: relays.only ? 'relay' : 'all' }
    },

    onCandidate() {
      let isWaiting = false
      return ({ candidate, ready }) => {
        if (relays.servers.length === 0) return
        if (candidate.type === 'relay') ready()
        else if (!isWaiting) setTimeout(ready, RELAY_WITHIN_MS)
        isWaiting = true
      }
    },
  }
}
