import { type Bridge, createBridge } from './bridge.ts'
import type { Conversation } from './endpoint.ts'
import type { Leg } from './leg.ts'

const legs = new WeakMap<Conversation, Leg>()
/** The bridge of each connected leg. */
const bridges = new WeakMap<Leg, Bridge>()

/** The public side of a leg. */
export function createConversation(leg: Leg, onError: (error: unknown) => void): Conversation {
  const disconnect = () => bridges.get(leg)?.end()
  leg.onEnd(disconnect)

  const conversation: Conversation = {
    play: (sound, options) => ({ done: leg.play(sound, options?.loops ?? false) }),
    stopPlaying: () => leg.rtp.stopPlaying(),
    press: (keys) => leg.rtp.press(keys),
    onKey: leg.onKey,
    listen: (sink) => leg.rtp.listen(sink),
    listenToSent: (sink) => leg.rtp.listenToSent(sink),
    connect(other, options) {
      const otherLeg = legs.get(other)
      if (!otherLeg || otherLeg === leg) throw new TypeError('The other conversation is not of this endpoint')
      disconnect()
      bridges.get(otherLeg)?.end()
      if (leg.isOver() || otherLeg.isOver()) return
      const bridge = createBridge(leg, otherLeg, options?.staysHere ?? false, onError)
      bridges.set(leg, bridge)
      bridges.set(otherLeg, bridge)
    },
    disconnect,
    hangUp: () => leg.hangUp(),
    onEnd: (listener) => leg.onEnd(listener),
  }
  legs.set(conversation, leg)
  return conversation
}
