/**
 * The interface of the media endpoint: SIP over TCP with the switch, RTP with rtpengine, G.711 only. It has no database and no product
 * knowledge; `server/src/features/calls/media-calls` decides what happens in a call.
 */

/** G.711 in both laws, encoded once. One byte is 1/8000 second. */
export type Encoded = { readonly alaw: Uint8Array; readonly ulaw: Uint8Array }

export type EndpointOptions = {
  /** Local address and port for SIP over TCP. Port 0 chooses a free one. */
  readonly host: string
  readonly port: number
  /** Address in SDP and Contact, if it differs from `host`. */
  readonly advertisedHost?: string
  /** Addresses that may connect: the switches. */
  readonly isAllowed: (address: string) => boolean
  /** The call waits until it is answered or rejected. */
  readonly onCall: (call: IncomingCall) => void
  /** Even ports of this range get the audio of one call each. Default: 60,000 to 64,998. */
  readonly rtpPorts?: { readonly first: number; readonly last: number }
  /** The delay of the packets of one slot of 5 ms, and their number, also if they are skipped after a stall. For measurements. */
  readonly onLateness?: (lateMs: number, packets: number) => void
  readonly onError?: (error: unknown) => void
}

export type Endpoint = {
  readonly port: number
  /** Calls that have not ended. */
  readonly liveCalls: () => number
  /** Calls a party through the switch. */
  readonly call: (options: OutgoingOptions) => OutgoingCall
  /** Receives a stream that somebody offers in SDP, without a call. Null if the offer has no audio that we can use. */
  readonly openCopy: (offer: string) => Promise<AudioCopy | null>
  /** Ends all calls, then closes. */
  close(): Promise<void>
}

export type IncomingCall = {
  /** User part of the Request-URI. */
  readonly user: string
  readonly sipCallId: string
  /** From header: user part and display name. */
  readonly from: { readonly user: string; readonly name: string }
  /** Address of the switch that sent the call, from its topmost Via: `call` reaches the same switch there. */
  readonly switch: { readonly host: string; readonly port: number }
  /** Tells the caller that somebody is being rung. `answer` does it too, if this did not. */
  ring(): void
  /** Repeats 100 every second for this time, so that the switch notices if this process is gone before the answer. */
  repeatTrying(forMs: number): void
  /** A conversation that has already ended if the caller hangs up at the same moment. Rejects if no RTP port is free. */
  answer(): Promise<Conversation>
  reject(code: number, reason: string): void
  /** The caller canceled before the answer. */
  onCanceled(listener: () => void): void
}

export type OutgoingOptions = {
  /** SIP address of the switch. */
  readonly host: string
  readonly port: number
  /** User part of the Request-URI. */
  readonly user: string
  /** Digest credentials. */
  readonly username: string
  readonly password: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

export type OutgoingCall = {
  readonly result: Promise<
    | { readonly type: 'answered'; readonly conversation: Conversation }
    /** Final SIP code and its reason phrase. */
    | { readonly type: 'failed'; readonly code: number; readonly reason: string }
  >
  readonly onRinging: (listener: () => void) => void
  cancel(): void
}

/** A copy of what one side of a call sends. */
export type AudioCopy = {
  /** SDP for the sender. */
  readonly answer: string
  /** Audio in packets of 20 ms, A-law; gaps are filled with silence. Null stops. */
  listen(sink: ((packet: Uint8Array) => void) | null): void
  /** Each key of that side once. */
  onKey(listener: (key: string) => void): void
  /** Time since the last packet. */
  quietMs(): number
  close(): void
}

/** An answered call. Every listener is called with the events from now on. */
export type Conversation = {
  /** Replaces the sound that is playing. `done` resolves at its end, with false if it was replaced or stopped. */
  play(sound: Encoded, options?: { readonly loops?: boolean }): { readonly done: Promise<boolean> }
  stopPlaying(): void
  /** Each key once, whatever the retransmissions: RFC 4733, or in-band tones if the caller offers no events. */
  onKey(listener: (key: string) => void): () => void
  /** Sends keys as RFC 4733 events of 100 ms. Nothing happens if the other side takes no events. */
  press(keys: string): void
  /** Audio as it arrives, in packets of 20 ms, A-law; gaps are filled with silence. Null stops. */
  listen(sink: ((packet: Uint8Array) => void) | null): void
  /** Audio as it is sent to the caller, in the same clock as `listen`. For stereo recordings. */
  listenToSent(sink: ((packet: Uint8Array) => void) | null): void
  /**
   * Connects two conversations. The audio is relayed here first; then both sides get a re-INVITE, and the audio leaves this process,
   * unless `staysHere` (for a recording) or a side refuses it. Ends when either side hangs up: the other one is not hung up.
   */
  connect(other: Conversation, options?: { readonly staysHere?: boolean }): void
  disconnect(): void
  hangUp(): void
  /** The other side has hung up, or `hangUp` was called. Called once, also if it has already happened. */
  onEnd(listener: (by: 'them' | 'us') => void): void
}
