import type { VoicemailView } from '@trunkline/contract/voicemail'
import { Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatDate } from '../../common/format/dates.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { Moment } from '../../common/Moment.tsx'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { fetchSound } from '../../common/sound/fetch-sound.ts'
import { Player } from '../../common/sound/Player.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { CallBack } from '../phone/CallBack.tsx'
import { CountryCodePlate } from '../trunks/CountryCard.tsx'
import { markMessages } from './queries.ts'

type MessageRowProps = {
  message: VoicemailView
  isOpened: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onDelete: () => void
  onHeard: () => void
}

/** One message. Playing it marks it as heard. */
export function MessageRow({ message, isOpened, isChosen, onChoose, onDelete, onHeard }: MessageRowProps) {
  const { id, caller, caller_name, caller_country, caller_country_code, is_new: isNew } = message
  const row = useRef<HTMLLIElement>(null)
  const name = caller === '' ? 'withheld number' : formatPhoneNumber(caller)

  useEffect(() => {
    if (isOpened) row.current?.scrollIntoView({ block: 'center' })
  }, [isOpened])

  return (
    <li
      ref={row}
      aria-label={`Message from ${name}`}
      aria-current={isOpened ? 'true' : undefined}
      className={cx(
        'grid grid-cols-[auto_minmax(0,1fr)] items-start gap-3 px-5 py-4 sm:grid-cols-[auto_minmax(0,1fr)_auto]',
        isOpened && 'bg-signal-soft/50',
      )}
    >
      <input
        type="checkbox"
        aria-label={`Select the message from ${name}`}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
        className="mt-1.5 size-4 accent-signal-ink"
      />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {caller_country_code && <CountryCodePlate code={caller_country_code} />}
          <span className={cx('figures', isNew ? 'font-semibold' : 'font-medium')}>
            {caller === '' ? 'Number withheld' : <PhoneNumber of={caller} />}
          </span>
          {isNew && <Badge tone="signal">New</Badge>}
        </p>
        <p className="mt-1 break-words text-muted text-sm">
          {[caller_name, caller_country].filter(Boolean).join(', ')}
        </p>
        <p className="figures mt-1 text-sm">
          <Moment at={message.started_at} />
        </p>
        <p className="figures mt-0.5 text-muted text-xs">
          To <PhoneNumber of={message.number} />. Kept until {formatDate(message.expires_at)}.
        </p>
        <div className="mt-2.5 max-w-md">
          <Player
            name={`the message from ${name}`}
            seconds={message.seconds}
            load={() => fetchSound('GET /api/voicemail/:id/audio', { params: { id } })}
            onPlay={() => {
              if (!isNew) return
              onHeard()
              void markMessages([id], false).catch(() => {})
            }}
          />
        </div>
      </div>
      <div className="col-start-2 flex flex-wrap gap-2 sm:col-start-auto sm:flex-col sm:items-stretch">
        <CallBack caller={caller} />
        <Button size="sm" variant="ghost" aria-label={`Delete the message from ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
    </li>
  )
}
