import { BellOff, ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { TextWithPhoneNumbers } from '../../common/PhoneNumber.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp, type LampState } from '../../ui/Lamp.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { CallDisplay } from './CallDisplay.tsx'
import { Dialer } from './Dialer.tsx'
import type { Line, Phone } from './engine/phone.ts'
import { isSoundPossible } from './engine/sound.ts'
import { NEEDS_HTTPS } from './engine/words.ts'
import { IconButton } from './IconButton.tsx'
import { stageWords } from './look.ts'
import { type PhoneWish, receivingWords, usePhoneStatus } from './phone-context.ts'
import { changeReceiving, useReceiving } from './receiving.ts'

const lineLooks: Record<Line['status'], { lit: LampState; word: string }> = {
  connecting: { lit: 'pending', word: 'Connecting…' },
  ready: { lit: 'signal', word: 'Ready' },
  lost: { lit: 'pending', word: 'Connection lost. Reconnecting…' },
  elsewhere: { lit: 'off', word: 'In use elsewhere' },
  failed: { lit: 'danger', word: 'Unavailable' },
}

/** A panel that stays open while the user navigates. */
type PhonePanelProps = { phone: Phone; wish: PhoneWish; wantsCalls: boolean; onClose: () => void }

export function PhonePanel({ phone, wish, wantsCalls, onClose }: PhonePanelProps) {
  const { line, call } = useSyncExternalStore(phone.subscribe, phone.current)
  const [isSmall, setSmall] = useState(false)
  const [number, setNumber] = useState('')
  const panel = useRef<HTMLElement>(null)
  const isLive = call !== null && call.stage !== 'over'
  const { lit, word } = useLineLook(line)
  const { isQuiet } = useReceiving()

  useWarningBeforeLeaving(isLive)

  // Each request to open the phone expands it.
  useEffect(() => {
    setSmall(false)
    if (wish.number !== undefined) setNumber(wish.number)
    const first = panel.current?.querySelector<HTMLElement>('input') ?? panel.current
    first?.focus()
  }, [wish])

  // The focused input disappears, but Escape must still reach the panel.
  const isOut = line.status === 'failed' || line.status === 'elsewhere'
  useEffect(() => {
    if (isOut && document.activeElement === document.body) panel.current?.focus()
  }, [isOut])

  const echoFor = useRef<PhoneWish | null>(null)
  useEffect(() => {
    if (!wish.isEcho || line.status !== 'ready' || echoFor.current === wish) return
    echoFor.current = wish
    phone.call(line.phone.echo, true)
  }, [phone, line, wish])

  function press(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    if (event.key === 'Escape' && isLive) setSmall(true)
    else if (event.key === 'Escape') onClose()
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !/^[0-9*#]$/.test(event.key)) return
    if (isLive) phone.active()?.press(event.key)
    else setNumber(number + event.key)
  }

  return (
    <section
      ref={panel}
      aria-label="Phone"
      tabIndex={-1}
      onKeyDown={press}
      className={cx(
        'fixed z-30 flex animate-rise flex-col overflow-hidden rounded-xl border bg-surface shadow-far outline-none',
        'max-sm:inset-x-2 max-sm:bottom-2 sm:top-[calc(4.5rem+var(--banner,0px))] sm:right-4 sm:w-88',
        'max-h-[calc(100dvh-1rem)] sm:max-h-[calc(100dvh-5.5rem-var(--banner,0px))]',
      )}
    >
      <header className="flex h-12 shrink-0 items-center gap-2.5 border-b pr-1.5 pl-4">
        <Lamp lit={isLive ? 'signal' : lit} pulse={call?.stage === 'ringing'} label="" />
        <h2 className="font-semibold">Phone</h2>
        <p role="status" className="min-w-0 flex-1 truncate text-muted text-sm">
          {isLive && line.status !== 'lost' ? stageWords[call.stage] : word}
        </p>
        {wantsCalls && (
          <IconButton
            label="Do not disturb"
            isPressed={isQuiet}
            onClick={() => changeReceiving({ isQuiet: !isQuiet })}
          >
            <BellOff aria-hidden />
          </IconButton>
        )}
        <IconButton label={isSmall ? 'Expand phone' : 'Minimize phone'} onClick={() => setSmall(!isSmall)}>
          {isSmall ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
        {!isLive && (
          <IconButton label="Close phone" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        )}
      </header>
      <div hidden={isSmall && !isLive} className={cx('min-h-0 overflow-y-auto p-4', isSmall && 'py-2.5')}>
        <Body
          phone={phone}
          line={line}
          isSmall={isSmall}
          number={number}
          rings={number === wish.number ? wish.rings : undefined}
          wantsCalls={wantsCalls}
          onNumber={setNumber}
        />
      </div>
    </section>
  )
}

/** A connected phone says whether it receives calls. */
function useLineLook(line: Line): { lit: LampState; word: string } {
  const status = usePhoneStatus()
  if (line.status !== 'ready' || status === null) return lineLooks[line.status]
  return {
    lit: status === 'receives' ? 'signal' : status === 'quiet' ? 'off' : 'pending',
    word: receivingWords[status],
  }
}

type BodyProps = {
  phone: Phone
  line: Line
  isSmall: boolean
  number: string
  rings: PhoneWish['rings']
  wantsCalls: boolean
  onNumber: (number: string) => void
}

function Body({ phone, line, isSmall, number, rings, wantsCalls, onNumber }: BodyProps) {
  const { call } = useSyncExternalStore(phone.subscribe, phone.current)
  if (call)
    return <CallDisplay phone={phone} call={call} isSmall={isSmall} canCall={line.status === 'ready'} />
  if (line.status === 'elsewhere' || line.status === 'failed')
    return (
      <Notice tone={line.status === 'failed' && line.canRetry ? 'danger' : 'pending'}>
        <p>{line.words}</p>
        {line.status === 'elsewhere' && (
          <>
            <p className="mt-1.5 text-muted">
              Only one window can use the phone. Using it here ends a call in the other one.
            </p>
            <Button size="sm" className="mt-2.5" onClick={() => void phone.connect(true)}>
              Use phone here
            </Button>
          </>
        )}
        {line.status === 'failed' && line.canRetry && (
          <Button size="sm" className="mt-2.5" onClick={() => void phone.connect()}>
            Try again
          </Button>
        )}
      </Notice>
    )
  if (!isSoundPossible()) return <Notice tone="pending">{NEEDS_HTTPS}</Notice>
  return (
    <>
      {rings && <TestCallNotice rings={rings} />}
      <Dialer phone={phone} line={line} number={number} wantsCalls={wantsCalls} onNumber={onNumber} />
    </>
  )
}

const TestCallNotice = ({ rings }: { rings: readonly string[] }) => (
  <Notice tone="info" className="mb-3.5">
    <p className="font-medium">Test call to your number</p>
    {rings.map((words) => (
      <p key={words} className="figures mt-1">
        <TextWithPhoneNumbers text={words} />
      </p>
    ))}
    <p className="mt-1.5 text-muted">
      This browser doesn’t ring for its own call. Answer on another phone or in another browser.
    </p>
  </Notice>
)

function useWarningBeforeLeaving(isLive: boolean): void {
  useEffect(() => {
    if (!isLive) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isLive])
}
