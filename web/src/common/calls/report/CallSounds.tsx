import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RecordingView } from '@trunkline/contract/recordings'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../../app/api.ts'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { Confirm } from '../../Confirm.tsx'
import { Part } from '../../Details.tsx'
import { formatDate, formatTime } from '../../format/dates.ts'
import { formatDuration } from '../../format/durations.ts'
import { formatExactMoney } from '../../format/money.ts'
import { saveFile } from '../../save-file.ts'
import { fetchSound } from '../../sound/fetch-sound.ts'
import { PlayerControls } from '../../sound/Player.tsx'
import { usePlayer } from '../../sound/use-player.ts'
import { Waveform } from '../../sound/Waveform.tsx'
import { peaksQuery, soundsKey, soundsQuery } from './queries.ts'
import { useCallSource } from './source.ts'

const SIDES = ['Caller', 'Other side']

/** Recordings and messages of a call. Nothing if there are none. */
export function CallSounds({ id }: { id: string }) {
  const source = useCallSource()
  const { data } = useQuery(soundsQuery(source, id))
  if (!data || (data.recordings.length === 0 && data.messages.length === 0)) return null
  return (
    <>
      {data.recordings.length > 0 && (
        <Part title={data.recordings.length === 1 ? 'Recording' : 'Recordings'}>
          <ul className="flex flex-col gap-5">
            {data.recordings.map((recording) => (
              <Recording key={recording.id} recording={recording} />
            ))}
          </ul>
        </Part>
      )}
      {data.messages.length > 0 && (
        <Part title="Voicemail">
          <ul className="flex flex-col gap-1 text-sm">
            {data.messages.map(({ id: message, seconds }) => (
              <li key={message}>
                The caller left a message of {formatDuration(seconds)}.{' '}
                {source.recordings.hasMailbox && (
                  <Link to="/dashboard/voicemail" search={{ message }} className="underline">
                    Open voicemail
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

const factsOf = ({ seconds, cost, started_at, expires_at }: RecordingView): string =>
  [
    `Started ${formatTime(started_at)}`,
    formatDuration(seconds),
    ...(cost ? [formatExactMoney(cost)] : []),
    `kept until ${formatDate(expires_at)}`,
  ].join(', ')

function Recording({ recording }: { recording: RecordingView }) {
  const { id, seconds, is_ready: isReady } = recording
  if (!isReady) return <li className="text-muted text-sm">This call is being recorded.</li>
  return (
    <li aria-label={`Recording of ${formatDuration(seconds)}`}>
      <p className="figures text-muted text-sm">{factsOf(recording)}.</p>
      <RecordingPlayer id={id} seconds={seconds} />
      <Actions recording={recording} />
    </li>
  )
}

function RecordingPlayer({ id, seconds }: { id: number; seconds: number }) {
  const source = useCallSource()
  const peaks = useQuery(peaksQuery(source, id))
  const player = usePlayer(() => fetchSound(source.recordings.audio, { params: { id } }))
  return (
    <>
      {peaks.data ? (
        <Waveform
          channels={peaks.data.channels}
          names={SIDES}
          played={seconds > 0 ? Math.min(1, player.position / seconds) : 0}
          onSeek={player.seconds === null ? null : (part) => player.seek(part * seconds)}
        />
      ) : (
        !peaks.isError && <Skeleton className="mt-2 h-24 w-full" />
      )}
      <div className="mt-2">
        <PlayerControls player={player} name="the recording" seconds={seconds} />
      </div>
    </>
  )
}

function Actions({ recording: { id, started_at } }: { recording: RecordingView }) {
  const source = useCallSource()
  const { recordings } = source
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: () => fetchSound(recordings.audio, { params: { id }, query: { download: 'true' } }),
    onSuccess: (file) => saveFile(file, `recording-${started_at.slice(0, 10)}-${id}.wav`),
    onError: (error) => toast.error(explain(error, 'The recording could not be downloaded.')),
  })
  const { remove } = recordings
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button size="sm" busy={save.isPending} onClick={() => save.mutate()}>
        <Download aria-hidden />
        Download
      </Button>
      {remove && (
        <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      )}
      {isAsking && remove && (
        <Confirm
          title="Delete this recording?"
          text="The sound is deleted for good. What it cost is not refunded."
          action="Delete recording"
          failed="The recording could not be deleted."
          onConfirm={() => remove(id)}
          reread={() => client.invalidateQueries({ queryKey: soundsKey(source) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
