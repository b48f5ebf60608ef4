import { useQuery } from '@tanstack/react-query'
import { BellOff, Phone as PhoneIcon, PhoneOff } from 'lucide-react'
import { useEffect } from 'react'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Button } from '../../ui/Button.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { quoteQuery } from '../trunks/queries.ts'
import type { CallLook } from './engine/call.ts'
import { type Caller, WITHHELD, wordsOfCaller } from './engine/caller.ts'
import type { Phone } from './engine/phone.ts'
import { reasonNotToAnswer } from './engine/words.ts'
import { useRinging } from './use-ringing.ts'

const isRinging = ({ caller, stage }: CallLook): boolean =>
  caller !== null && (stage === 'incoming' || stage === 'microphone')

/** Cards over every screen. They do not take the focus, because the customer may be typing. */
export function IncomingCalls({ phone, calls }: { phone: Phone; calls: readonly CallLook[] }) {
  const ringing = calls.filter(isRinging)
  const other = calls.find((call) => !isRinging(call)) ?? null
  const { isBlocked, silence } = useRinging(phone, ringing, other !== null)
  useShortcuts(phone, ringing[0])
  const words = ringing.flatMap(({ caller }) => (caller ? wordsOfCaller(caller) : []))
  return (
    <>
      <p aria-live="assertive" className="sr-only">
        {words.length > 0 && `Incoming call from ${words.join(' and ')}.`}
      </p>
      {ringing.length > 0 && (
        // An open dialog hides everything except live regions from screen readers, and ignores clicks on toasts.
        <div
          aria-live="off"
          data-toast
          className="pointer-events-auto fixed z-60 flex flex-col gap-2 max-sm:inset-x-0 max-sm:bottom-0 sm:right-4 sm:bottom-4 sm:w-96"
        >
          {ringing.map((call) => (
            <Card
              key={call.id}
              phone={phone}
              call={call}
              holds={other?.stage === 'talking'}
              isBlocked={isBlocked}
              onSilence={() => silence(call.id)}
            />
          ))}
        </div>
      )}
    </>
  )
}

type CardProps = { phone: Phone; call: CallLook; holds: boolean; isBlocked: boolean; onSilence: () => void }

function Card({ phone, call, holds, isBlocked, onSilence }: CardProps) {
  const { caller, isSilenced } = call
  const fault = reasonNotToAnswer() ?? call.problem
  if (!caller) return null
  return (
    <section
      aria-label="Incoming call"
      className="animate-rise border bg-surface p-4 shadow-far max-sm:rounded-t-xl max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[max(1rem,env(safe-area-inset-bottom))] sm:rounded-xl"
    >
      <p className="flex items-center gap-2.5 text-muted text-sm">
        <Lamp lit="signal" pulse={!isSilenced} label="" />
        {isSilenced ? 'Incoming call, silenced' : 'Incoming call'}
      </p>
      <CallerLines caller={caller} />
      {fault && (
        <Notice tone="danger" className="mt-3">
          {fault}
        </Notice>
      )}
      <div className="mt-4 grid grid-cols-[1fr_1fr_auto] gap-2">
        <Button
          variant="primary"
          busy={call.stage === 'microphone'}
          disabled={reasonNotToAnswer() !== null}
          aria-keyshortcuts="Control+Alt+A"
          onClick={() => void phone.answer(call.id)}
        >
          <PhoneIcon aria-hidden />
          Answer
        </Button>
        <Button variant="danger" aria-keyshortcuts="Control+Alt+D" onClick={() => phone.decline(call.id)}>
          <PhoneOff aria-hidden />
          Decline
        </Button>
        <Button disabled={isSilenced} onClick={onSilence}>
          <BellOff aria-hidden />
          Silence
        </Button>
      </div>
      {holds || isBlocked ? (
        <p className="mt-2.5 text-muted text-xs">
          {holds
            ? 'Answering puts your current call on hold.'
            : 'Your browser plays the ring tone after you click on this page.'}
        </p>
      ) : (
        <p className="mt-2.5 text-muted text-xs pointer-coarse:hidden max-sm:hidden">
          Ctrl+Alt+A answers, Ctrl+Alt+D declines.
        </p>
      )}
    </section>
  )
}

function CallerLines({ caller: { number, name, called } }: { caller: Caller }) {
  const isInternational = number?.startsWith('+') ?? false
  const { data: quote } = useQuery({ ...quoteQuery(number ?? ''), enabled: isInternational })
  const country = isInternational ? quote?.country : null
  return (
    <div className="mt-1.5">
      <p className="figures truncate font-semibold text-xl tracking-tight">
        {name ?? (number === null ? WITHHELD : <PhoneNumber of={number} />)}
      </p>
      {isInternational && (
        <p className="figures min-h-5 truncate text-muted text-sm">
          {name && number && <PhoneNumber of={number} />}
          {name && country && ', '}
          {country}
        </p>
      )}
      {called && (
        <p className="figures truncate text-muted text-sm">
          to <PhoneNumber of={called} />
        </p>
      )}
    </div>
  )
}

/** For customers who type in a dialog, which keeps the focus. */
function useShortcuts(phone: Phone, call: CallLook | undefined): void {
  const id = call?.id
  useEffect(() => {
    if (id === undefined) return
    function press(event: KeyboardEvent): void {
      // AltGr writes letters on some keyboards.
      if (!event.ctrlKey || !event.altKey || event.getModifierState('AltGraph') || id === undefined) return
      if (event.code === 'KeyA') void phone.answer(id)
      else if (event.code === 'KeyD') phone.decline(id)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [phone, id])
}
