import { Lamp } from '../../ui/Lamp.tsx'
import type { CallLook } from './engine/call.ts'

/** What the echo test has shown so far. Whether a loudspeaker is heard, only ears can tell. */
export function EchoFindings({ call: { findings, quality, stage } }: { call: CallLook }) {
  if (!findings) return <p className="text-center text-muted text-sm">Say something when it is answered.</p>
  const { isMicrophoneHeard, isSent, isEchoHeard } = findings
  const isOver = stage === 'over'
  const rows = [
    {
      is: isMicrophoneHeard,
      yes: 'The microphone hears you.',
      no: isOver ? 'The microphone heard nothing. Choose another one below.' : 'Say something…',
    },
    {
      is: isSent,
      yes: `The network carries sound both ways${quality ? `, quality ${quality.word.toLowerCase()}` : ''}.`,
      no: 'No sound comes back over the network. A firewall may keep UDP from it.',
    },
    {
      is: isEchoHeard,
      yes: 'Your words come back. If you do not hear them, choose another speaker.',
      no: isOver ? 'Your words did not come back.' : 'Waiting for your words to come back…',
    },
  ]
  return (
    <ul aria-label="Echo test" aria-live="polite" className="flex flex-col gap-2 text-sm">
      {rows.map(({ is, yes, no }) => (
        <li key={yes} className="flex gap-2.5">
          <Lamp lit={is ? 'signal' : isOver ? 'danger' : 'pending'} label="" className="mt-0.5" />
          {is ? yes : no}
        </li>
      ))}
    </ul>
  )
}
