import type { SipHead } from './message.ts'

export type Endpoint = { address: string; port: number }

/** The leg of the call: between phone and switch, or between switch and carrier. */
export type Side = 'phone' | 'carrier'

/** A message as the switch received or sent it, without secrets. */
export type CapturedMessage = {
  /** Milliseconds since 1970 by the clock of the switch. */
  at: number
  isInbound: boolean
  side: Side
  local: Endpoint
  /** The phone or the carrier. */
  peer: Endpoint
  transport: string
  text: string
}

type Placed = Pick<CapturedMessage, 'isInbound' | 'side' | 'local' | 'peer'>

const nameOf = ({ address, port }: Endpoint): string => `${address} ${port}`

/**
 * Finds out which messages of a call the switch has received, because the capture names source and target only. The first message is the
 * caller's INVITE. A reply is received if the switch has sent a request with its branch. A request is sent if it comes from an address of
 * the switch.
 */
export function createDirections(callerTag: string) {
  const own = new Set<string>()
  const sentBranches = new Set<string>()

  function isReceived(head: SipHead, source: Endpoint, target: Endpoint): boolean {
    if (!head.isRequest) return sentBranches.has(head.branch)
    if (own.size === 0) return true
    if (own.has(nameOf(source))) return false
    if (own.has(nameOf(target))) return true
    return own.has(target.address) && !own.has(source.address)
  }

  function learn(head: SipHead, { isInbound, local }: Pick<Placed, 'isInbound' | 'local'>): void {
    own.add(nameOf(local)).add(local.address)
    if (head.isRequest && !isInbound) sentBranches.add(head.branch)
  }

  return {
    place(head: SipHead, source: Endpoint, target: Endpoint): Placed {
      const isInbound = isReceived(head, source, target)
      const [local, peer] = isInbound ? [target, source] : [source, target]
      learn(head, { isInbound, local })
      return { isInbound, side: sideOf(head, isInbound, callerTag), local, peer }
    },
    /** Continues with messages that were placed before. */
    learn,
  }
}

/** Requests of the caller arrive from the phone and leave to the carrier; their replies travel the other way. */
function sideOf({ isRequest, fromTag }: SipHead, isInbound: boolean, callerTag: string): Side {
  const isOfCaller = fromTag === callerTag
  return isInbound === (isRequest === isOfCaller) ? 'phone' : 'carrier'
}
