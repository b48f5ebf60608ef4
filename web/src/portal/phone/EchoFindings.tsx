import { Lamp } from '../../ui/Lamp.tsx'
import type { CallLook } from './engine/call.ts'

/** The findings of the echo test. Only the user can judge the speaker. */
export function EchoFindings({ call: { findings, quality, stage } }: { call: CallLook }) {
  if (!findings) return <p className="text-center text-muted text-sm">Speak when the call is answered.</p>
  const { isMicrophoneHeard, isSent, isEchoHeard } = findings
  const isOver = stage === 'over'
  const rows = [
    {
      is: isMicrophoneHeard,
      yes: 'The microphone works.',
      no: isOver ? 'No sound from the microphone. Choose another one below.' : 'Say something…',
    },
    {
      is: isSent,
      yes: `The network carries audio both ways${quality ? `, quality ${quality.word.toLowerCase()}` : ''}.`,
      no: 'No audio comes back. A firewall may block UDP.',
    },
    {
      is: isEchoHeard,
      yes: 'We can hear your echo. If you can’t hear it, choose another speaker.',
      no: isOver ? 'We could not hear your echo.' : 'Waiting for your echo…',
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
