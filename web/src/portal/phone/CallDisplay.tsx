import { Grid3x3, Mic, MicOff, Phone as PhoneIcon, PhoneOff } from 'lucide-react'
import { useEffect, useState } from 'react'
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
    <div className="flex items-center gap-3">
      <Title call={call} className="min-w-0 flex-1 truncate text-sm" />
      <Running call={call} />
      <HangUp phone={phone} size="sm" />
    </div>
  ) : (
    <Live phone={phone} call={call} />
  )
}

const Title = ({ call, className }: { call: CallLook; className?: string }) => (
  <p className={cx('figures font-semibold tracking-tight', className)}>
    {call.isEcho ? 'Echo test' : <PhoneNumber of={call.number} />}
  </p>
)

function Live({ phone, call }: { phone: Phone; call: CallLook }) {
  const [hasKeys, setKeys] = useState(false)
  const isTalking = call.stage === 'talking'
  const levels = () => phone.active()?.levels() ?? { own: 0, far: 0 }
  return (
    <div className="flex flex-col gap-4">
      <div className="text-center">
        <Title call={call} className="text-xl" />
        <p className="mt-0.5 text-muted text-sm">{stageWords[call.stage]}</p>
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
      <div className="grid grid-cols-2 gap-2">
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
      </div>
      <HangUp phone={phone} size="lg" isFirst />
      <SoundSettings phone={phone} />
    </div>
  )
}

/** Duration and current cost. */
function Running({ call, isLarge = false }: { call: CallLook; isLarge?: boolean }) {
  const now = useSecond()
  const live = useLiveCalls(({ calls }) => calls.find((one) => one.sip_account === call.sipAccount))
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
        {end.seconds !== null && end.cost !== null && end.seconds > 0 && (
          <p className="figures mt-1 text-muted">
            {formatDuration(end.seconds)}, {formatExactMoney(end.cost)}
          </p>
        )}
      </Notice>
      {call.isEcho && <EchoFindings call={call} />}
      <div className="grid grid-cols-2 gap-2">
        <Button disabled={!canCall} onClick={() => phone.call(call.number, call.isEcho)}>
          <PhoneIcon aria-hidden />
          {call.isEcho ? 'Test again' : 'Call again'}
        </Button>
        <Button autoFocus onClick={phone.clear}>
          Done
        </Button>
      </div>
    </div>
  )
}
