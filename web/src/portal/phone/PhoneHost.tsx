import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { toast } from '../../ui/toast.ts'
import type { CallLook } from './engine/call.ts'
import { wordsOfCaller } from './engine/caller.ts'
import { createPhone, type Phone } from './engine/phone.ts'
import { IncomingCalls } from './IncomingCalls.tsx'
import type { ReceivingStatus } from './phone-context.ts'
import { useReceiving } from './receiving.ts'

type PhoneHostProps = {
  wantsCalls: boolean
  isOpen: boolean
  onOpen: () => void
  onStatus: (status: ReceivingStatus | null) => void
  onCall: (hasCall: boolean) => void
  panel: (phone: Phone) => ReactNode
}

/** The phone of this tab. It lives while the panel is open or the customer receives calls. */
export function PhoneHost({ wantsCalls, isOpen, onOpen, onStatus, onCall, panel }: PhoneHostProps) {
  const [announcement, setAnnouncement] = useState('')
  const [phone] = useState(() => createPhone((look) => setAnnouncement(tellUnanswered(look))))
  const { isQuiet } = useReceiving()
  const { calls, isRegistered } = useSyncExternalStore(phone.subscribe, phone.current)
  const receives = wantsCalls && !isQuiet

  useEffect(() => phone.setUse({ isOpen, receives }), [phone, isOpen, receives])
  useEffect(() => phone.leave, [phone])
  useEffect(() => {
    if (!isOpen) phone.clear()
  }, [phone, isOpen])

  // Calls arrive until the switch has confirmed that this browser is not registered any more.
  const status = !wantsCalls ? null : isRegistered ? 'receives' : isQuiet ? 'quiet' : 'disconnected'
  useEffect(() => {
    onStatus(status)
    return () => onStatus(null)
  }, [status, onStatus])

  const hasCall = calls.some(({ stage }) => stage !== 'incoming')
  useEffect(() => {
    onCall(hasCall)
    return () => onCall(false)
  }, [hasCall, onCall])

  // An answered call is shown in the panel.
  const answered = calls.find(({ caller, stage }) => caller && stage !== 'incoming' && stage !== 'microphone')
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (answered && opened.current !== answered.id) onOpen()
    opened.current = answered?.id ?? null
  }, [answered, onOpen])

  return (
    <>
      <IncomingCalls phone={phone} calls={calls} />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {panel(phone)}
    </>
  )
}

function tellUnanswered({ caller, unanswered }: CallLook): string {
  if (!caller || unanswered === 'declined') return ''
  if (unanswered === 'elsewhere')
    return `The call from ${wordsOfCaller(caller)} was answered on another device.`
  toast.info(`Missed call from ${wordsOfCaller(caller)}`)
  return ''
}
