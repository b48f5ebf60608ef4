import type { Conversation } from '@trunkline/media/endpoint'

export type Sink = (packet: Uint8Array) => void

/** Lets a message and a recording listen to the same conversation. Each function returns one that stops it. */
export type Taps = { heard(sink: Sink): () => void; sent(sink: Sink): () => void }

export function createTaps(conversation: Pick<Conversation, 'listen' | 'listenToSent'>): Taps {
  const share = (listen: (sink: Sink | null) => void) => {
    const sinks = new Set<Sink>()
    return (sink: Sink) => {
      sinks.add(sink)
      if (sinks.size === 1)
        listen((packet) => {
          for (const one of sinks) one(packet)
        })
      return () => {
        if (sinks.delete(sink) && sinks.size === 0) listen(null)
      }
    }
  }
  return {
    heard: share((sink) => conversation.listen(sink)),
    sent: share((sink) => conversation.listenToSent(sink)),
  }
}
