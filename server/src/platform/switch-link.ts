import type { FromSwitch, FromSwitchOf, ToSwitch } from '@trunkline/contract/switch-protocol'

/** A connection to a switch after its `hello`. */
export type SwitchLink = {
  readonly hello: FromSwitchOf<'hello'>
  /** Ignored if the connection is closed. Important messages are sent again on the next one. */
  send(message: ToSwitch): void
  /** Closes the connection and reconnects. */
  drop(why: string): void
}

export type SwitchListener = {
  /** Called after the `hello` of the switch. */
  onOpen(link: SwitchLink): void
  onMessage(link: SwitchLink, message: FromSwitch): void
  onClose(link: SwitchLink): void
}

/** Keeps a connection to a switch until it is closed. */
export type ConnectToSwitch = (address: string, listener: SwitchListener) => { close(): void }
