import { useQuery } from '@tanstack/react-query'
import { SOUND_NAME_MAX } from '@trunkline/contract/limits'
import type { SoundView } from '@trunkline/contract/sounds'
import { AudioLines, Mic, Upload } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatDate } from '../../../common/format/dates.ts'
import { formatDuration } from '../../../common/format/durations.ts'
import { ListCard } from '../../../common/ListCard.tsx'
import { Player } from '../../../common/sound/Player.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SkeletonList } from '../../../ui/Skeleton.tsx'
import { FlowsHeading } from '../FlowsHeading.tsx'
import { rereadSounds, soundsQuery } from '../queries.ts'
import { RenameDialog } from '../RenameDialog.tsx'
import { AddSound } from './AddSound.tsx'
import { loadSound } from './load-sound.ts'

type Open = { dialog: 'upload' | 'microphone' } | { dialog: 'rename' | 'delete'; sound: SoundView }

/** The customer's library of sounds. */
export function Sounds() {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const buttons = (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setOpen({ dialog: 'microphone' })}>
        <Mic aria-hidden />
        Record
      </Button>
      <Button variant="primary" onClick={() => setOpen({ dialog: 'upload' })}>
        <Upload aria-hidden />
        Upload sound
      </Button>
    </div>
  )
  return (
    <>
      <FlowsHeading
        text="Recordings that your flows play to callers. To record one by phone, dial *97 and press 8."
        actions={buttons}
      />
      <ListCard
        label="Sounds"
        query={useQuery(soundsQuery)}
        failed="Your sounds could not be loaded."
        waiting={
          <SkeletonList rows={3} className="h-20 items-center gap-6 px-5" parts={['w-44', 'ml-auto w-64']} />
        }
      >
        {(sounds) =>
          sounds.length === 0 ? (
            <EmptyState
              icon={<AudioLines />}
              title="No sounds yet"
              text="Upload a recording or speak into your microphone. Flows can also speak texts without one."
            />
          ) : (
            <ul className="divide-y">
              {sounds.map((sound) => (
                <SoundRow key={sound.id} sound={sound} onOpen={setOpen} />
              ))}
            </ul>
          )
        }
      </ListCard>
      {(open?.dialog === 'upload' || open?.dialog === 'microphone') && (
        <AddSound origin={open.dialog} onClose={close} />
      )}
      {open?.dialog === 'rename' && <Rename sound={open.sound} onClose={close} />}
      {open?.dialog === 'delete' && <Delete sound={open.sound} onClose={close} />}
    </>
  )
}

const originWords: Record<SoundView['origin'], string> = {
  upload: 'Uploaded',
  microphone: 'Recorded in the browser',
  phone: 'Recorded by phone',
}

const SoundRow = ({ sound, onOpen }: { sound: SoundView; onOpen: (open: Open) => void }) => (
  <li
    aria-label={sound.name}
    className="grid items-center gap-x-8 gap-y-3 px-5 py-4 lg:grid-cols-[minmax(0,1fr)_16rem_auto]"
  >
    <div className="min-w-0">
      <p className="break-words font-medium">{sound.name}</p>
      <p className="figures mt-0.5 text-muted text-sm">
        {formatDuration(sound.seconds)}. {originWords[sound.origin]} on {formatDate(sound.created_at)}.{' '}
        {sound.used_by.length === 0 ? 'Not used by a flow.' : `Used by ${sound.used_by.join(', ')}.`}
      </p>
    </div>
    <Player name={sound.name} seconds={sound.seconds} load={loadSound(sound.id)} />
    <div className="flex gap-2">
      <Button
        size="sm"
        aria-label={`Rename ${sound.name}`}
        onClick={() => onOpen({ dialog: 'rename', sound })}
      >
        Rename
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Delete ${sound.name}`}
        onClick={() => onOpen({ dialog: 'delete', sound })}
      >
        Delete
      </Button>
    </div>
  </li>
)

function Rename({ sound: { id, name }, onClose }: { sound: SoundView; onClose: () => void }) {
  async function rename(wanted: string) {
    await api('PATCH /api/sounds/:id', { params: { id }, body: { name: wanted } })
    await rereadSounds()
  }
  return (
    <RenameDialog kind="sound" name={name} maxLength={SOUND_NAME_MAX} rename={rename} onClose={onClose} />
  )
}

const Delete = ({ sound: { id, name }, onClose }: { sound: SoundView; onClose: () => void }) => (
  <Confirm
    title={`Delete “${name}”?`}
    text="The recording is lost. Steps that play it must be changed first."
    action="Delete sound"
    failed="The sound could not be deleted."
    onConfirm={async () => {
      await api('DELETE /api/sounds/:id', { params: { id } })
      return { message: 'The sound was deleted.' }
    }}
    reread={rereadSounds}
    onClose={onClose}
  />
)
