import { encode } from '@trunkline/media/encode'
import { startEndpoint } from '@trunkline/media/start-endpoint'
import { signature, silence } from '@trunkline/media/tones'
import { createLateness } from './lateness.ts'

/** The endpoint under load: plays music to each caller, and a short prompt after each key. */
const lateness = createLateness()
const music = encode(silence(1_000))
const prompt = encode(signature(1, 100))

const endpoint = await startEndpoint({
  host: '127.0.0.1',
  port: 0,
  isAllowed: () => true,
  onLateness: lateness.note,
  onError: (error) => console.error(error),
  onCall: async (incoming) => {
    const conversation = await incoming.answer()
    void conversation.play(music, { loops: true })
    conversation.onKey(async () => {
      await conversation.play(prompt).done
      void conversation.play(music, { loops: true })
    })
  },
})

process.on('message', (question) => {
  if (question === 'reset') lateness.reset()
  else process.send?.(lateness.summary())
})
process.send?.(endpoint.port)
