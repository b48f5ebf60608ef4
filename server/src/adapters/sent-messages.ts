import { writeNetstring } from '@trunkline/contract/netstring'
import { numbered, type ToSwitch } from '@trunkline/contract/switch-protocol'

/** A switch closes the connection when it gets a message that does not fit in its buffer of 32,768 bytes. */
const MAX_MESSAGE_BYTES = 32_700

/** The messages of one connection to a switch that the switch has not confirmed yet. */
export function createSentMessages() {
  let last = 0
  let confirmed = 0
  let bytes = 0
  const unconfirmed: Uint8Array[] = []

  return {
    /** Returns the message with its number as a netstring. Null, without using up a number, if it is too long. */
    add(message: ToSwitch): Uint8Array | null {
      const netstring = writeNetstring(numbered(message, last + 1))
      if (netstring.length > MAX_MESSAGE_BYTES) return null
      last++
      unconfirmed.push(netstring)
      bytes += netstring.length
      return netstring
    },
    /** The switch has all messages up to this number. */
    confirm(number: number): void {
      if (number <= confirmed || number > last) return
      for (const netstring of unconfirmed.splice(0, number - confirmed)) bytes -= netstring.length
      confirmed = number
    },
    /** All messages after this number; null if one of them was confirmed or never sent. */
    after: (number: number): Uint8Array[] | null =>
      number < confirmed || number > last ? null : unconfirmed.slice(number - confirmed),
    unconfirmedBytes: () => bytes,
    hasUnconfirmed: () => unconfirmed.length > 0,
    confirmed: () => confirmed,
  }
}
