import { ArrowLeftRight, Grid3x3, Mic, MicOff, Pause, Phone as PhoneIcon, PhoneOff, Play } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { countOn } from '../../app/live-calls.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSecond } from '../../common/calls/use-second.ts'
import { formatDuration } from '../../common/format/durations.ts'
import { formatExactMoney, formatRunningCost } from '../../common/format/money.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLiveCalls } from '../live/live-calls.ts'
import { HelpLink } from './DialPreview.tsx'
import { EchoFindings } from './EchoFindings.tsx'
import type { CallLook } from './engine/call.ts'
import { WITHHELD } from './engine/caller.ts'
import type { Phone } from './engine/phone.ts'
import { Keypad } from './Keypad.tsx'
import { stageWords } from './look.ts'
import { Meter } from './Meter.tsx'
import { recentQuery } from './queries.ts'
import { SoundSettings } from './SoundSettings.tsx'

type CallDisplayProps = { phone: Phone; call: CallLook; isSmall: boolean; canCall: boolean }

export function CallDisplay({ phone, call, isSmall, canCall }: CallDisplayProps) {
  if (call.end) return <Ended phone={phone} call={call} canCall={canCall} />
  return isSmall ? (
    <>
      <div className="flex items-center gap-3">
        <Title call={call} className="min-w-0 flex-1 truncate text-sm" />
        <Running call={call} />
        <HangUp phone={phone} size="sm" />
      </div>
      <OtherCall phone={phone} shown={call} />
    </>
  ) : (
    <Live phone={phone} call={call} />
  )
}

const Title = ({ call, className }: { call: CallLook; className?: string }) => (
  <p className={cx('figures font-semibold tracking-tight', className)}>
    {call.isEcho ? 'Echo test' : call.caller?.name ? call.caller.name : <NumberOf call={call} />}
  </p>
)

const NumberOf = ({ call: { number } }: { call: CallLook }) =>
  number === '' ? WITHHELD : <PhoneNumber of={number} />

function Live({ phone, call }: { phone: Phone; call: CallLook }) {
  const [hasKeys, setKeys] = useState(false)
  const isTalking = call.stage === 'talking'
  const levels = () => phone.active()?.levels() ?? { own: 0, far: 0 }
  return (
    <div className="flex flex-col gap-4">
      <div className="text-center">
        <Title call={call} className="text-xl" />
        {call.caller?.name && (
          <p className="figures text-sm">
            <NumberOf call={call} />
          </p>
        )}
        <p className="mt-0.5 text-muted text-sm">{call.isHeld ? 'On hold' : stageWords[call.stage]}</p>
        <Running call={call} isLarge />
      </div>
      <div className="flex flex-col gap-2">
        <Meter label="Microphone" level={() => (call.isMuted ? 0 : levels().own)} />
        <Meter label="Remote" level={() => levels().far} />
        {call.quality && (
          <p className="text-center text-muted text-xs">
            <span
              className={cx(
                'font-medium',
                { Good: 'text-success', Fair: 'text-pending', Poor: 'text-danger' }[call.quality.word],
              )}
            >
              {call.quality.word} quality
            </span>
            : <span className="figures">{call.quality.what}</span>
          </p>
        )}
      </div>
      {call.isEcho && <EchoFindings call={call} />}
      {hasKeys && (
        <div>
          <p aria-live="polite" className="figures mb-1.5 min-h-6 text-center tracking-widest">
            {call.digits}
          </p>
          <Keypad onPress={(digit) => phone.active()?.press(digit)} />
        </div>
      )}
      <div className="grid grid-cols-3 gap-2 [&>button]:px-2">
        <Button
          aria-pressed={call.isMuted}
          onClick={() => phone.active()?.mute(!call.isMuted)}
          className={cx(call.isMuted && 'border-pending! text-pending!')}
        >
          {call.isMuted ? <MicOff aria-hidden /> : <Mic aria-hidden />}
          {call.isMuted ? 'Muted' : 'Mute'}
        </Button>
        <Button aria-pressed={hasKeys} disabled={!isTalking || call.isEcho} onClick={() => setKeys(!hasKeys)}>
          <Grid3x3 aria-hidden />
          Keypad
        </Button>
        <Button
          disabled={!isTalking || call.isEcho}
          className={cx(call.isHeld && 'border-pending! text-pending!')}
          onClick={() => (call.isHeld ? phone.resume(call.id) : phone.hold(call.id))}
        >
          {call.isHeld ? <Play aria-hidden /> : <Pause aria-hidden />}
          {call.isHeld ? 'Resume' : 'Hold'}
        </Button>
      </div>
      <OtherCall phone={phone} shown={call} />
      <HangUp phone={phone} size="lg" isFirst />
      <SoundSettings phone={phone} />
    </div>
  )
}

/** The second call, on hold. */
function OtherCall({ phone, shown }: { phone: Phone; shown: CallLook }) {
  const { calls } = useSyncExternalStore(phone.subscribe, phone.current)
  const other = calls.find(({ id, isHeld }) => id !== shown.id && isHeld)
  if (!other) return null
  return (
    <section
      aria-label="Call on hold"
      className="flex items-center gap-2 rounded-md border bg-sunken py-2 pr-2 pl-3"
    >
      <div className="min-w-0 flex-1">
        <Title call={other} className="truncate text-sm" />
        <p className="text-muted text-xs">On hold</p>
      </div>
      <Button size="sm" onClick={() => phone.resume(other.id)}>
        <ArrowLeftRight aria-hidden />
        Swap
      </Button>
      <Button
        size="sm"
        variant="danger"
        aria-label="Hang up the call on hold"
        onClick={() => phone.hangUp(other.id)}
      >
        <PhoneOff aria-hidden />
      </Button>
    </section>
  )
}

/** Duration and current cost. */
function Running({ call, isLarge = false }: { call: CallLook; isLarge?: boolean }) {
  const now = useSecond()
  // Only a dialed call has a running cost. A dialed call on hold has the same account as an incoming one.
  const live = useLiveCalls(({ calls }) =>
    call.caller === null ? calls.find((one) => one.sip_account === call.sipAccount) : undefined,
  )
  if (call.answeredAt === null) return isLarge ? <p className="figures mt-1 min-h-12" /> : null
  const seconds = Math.max(0, Math.floor((now - call.answeredAt) / 1_000))
  return (
    <p className={cx('figures', isLarge ? 'mt-1 min-h-12' : 'text-sm')}>
      <span className={cx(isLarge && 'font-semibold text-3xl')}>{formatDuration(seconds)}</span>
      {(live || call.isEcho) && (
        <span className={cx('text-muted', isLarge ? 'block text-sm' : 'ml-2')}>
          {live ? formatRunningCost(countOn(live, now).cost) : 'Free'}
        </span>
      )}
    </p>
  )
}

function HangUp({ phone, size, isFirst = false }: { phone: Phone; size: 'sm' | 'lg'; isFirst?: boolean }) {
  return (
    <Button
      variant="danger"
      size={size}
      // Takes the focus from the removed Call button.
      autoFocus={isFirst}
      onClick={() => phone.active()?.hangUp()}
    >
      <PhoneOff aria-hidden />
      Hang up
    </Button>
  )
}

function Ended({ phone, call, canCall }: Omit<CallDisplayProps, 'isSmall'>) {
  const { end } = call
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: recentQuery.queryKey })
  }, [])
  if (!end) return null
  return (
    <div className="flex flex-col gap-4">
      <Title call={call} className="text-center text-xl" />
      <Notice tone={end.isFailure ? 'danger' : end.help ? 'pending' : 'info'}>
        <p>{end.words}</p>
        {end.help && <HelpLink help={end.help} className="mt-1 inline-block" />}
        {end.seconds !== null && end.seconds > 0 && (
          <p className="figures mt-1 text-muted">
            {[formatDuration(end.seconds), ...(end.cost === null ? [] : [formatExactMoney(end.cost)])].join(
              ', ',
            )}
          </p>
        )}
      </Notice>
      {call.isEcho && <EchoFindings call={call} />}
      <div className="grid grid-cols-2 gap-2">
        <Button
          disabled={!canCall || call.number === ''}
          onClick={() => phone.call(call.number, call.isEcho)}
        >
          <PhoneIcon aria-hidden />
          {call.isEcho ? 'Test again' : call.caller ? 'Call back' : 'Call again'}
        </Button>
        <Button autoFocus onClick={phone.clear}>
          Done
        </Button>
      </div>
    </div>
  )
}
