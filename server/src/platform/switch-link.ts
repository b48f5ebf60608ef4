import type { FromSwitch, FromSwitchOf, ToSwitch } from '@trunkline/contract/switch-protocol'

/** One connection to a switch that has said who it is. */
export type SwitchLink = {
  readonly hello: FromSwitchOf<'hello'>
  /** Lost in silence when the connection is gone: whatever matters is said again on the next one. */
  send(message: ToSwitch): void
  /** Ends this connection; a new one is made. */
  drop(why: string): void
}

export type SwitchListener = {
  /** A connection stands and the switch has said hello. */
  onOpen(link: SwitchLink): void
  onMessage(link: SwitchLink, message: FromSwitch): void
  onClose(link: SwitchLink): void
}

/** Keeps a connection to the switch at an address until closed. */
export type ConnectToSwitch = (address: string, listener: SwitchListener) => { close(): void }
