import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Options, Select } from '../../ui/Select.tsx'
import type { Phone } from './engine/phone.ts'
import { type Ear, letGo, listenTo, openMicrophone, readChosen, writeChosen } from './engine/sound.ts'
import { wordsOfMicrophone } from './engine/words.ts'
import { Meter } from './Meter.tsx'

const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype

/** Selects microphone and speaker, with a level meter. */
export function SoundSettings({ phone }: { phone: Phone }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t pt-3 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer select-none rounded-sm py-0.5 font-medium text-muted hover:text-ink">
        Microphone and speaker
      </summary>
      {isOpen && <Devices phone={phone} />}
    </details>
  )
}

function Devices({ phone }: { phone: Phone }) {
  const [chosen, setChosen] = useState(readChosen)
  const [tried, setTried] = useState<{ ear: Ear; stream: MediaStream } | null>(null)
  const [words, setWords] = useState<string | null>(null)
  const devices = useDevices(tried)
  const call = phone.active()
  const isLive = call?.isLive() ?? false

  useEffect(
    () => () => {
      tried?.ear.close()
      letGo(tried?.stream ?? null)
    },
    [tried],
  )

  async function tryMicrophone(deviceId: string): Promise<void> {
    try {
      const stream = await openMicrophone(deviceId)
      setWords(null)
      setTried({ stream, ear: listenTo(stream) })
    } catch (error) {
      setWords(wordsOfMicrophone(error))
    }
  }

  function choose(part: Partial<typeof chosen>): void {
    const next = { ...chosen, ...part }
    setChosen(next)
    writeChosen(next)
    const failed = (error: unknown) => setWords(wordsOfMicrophone(error))
    if (part.microphone !== undefined && isLive) call?.speakInto(part.microphone).catch(failed)
    else if (part.microphone !== undefined && tried) void tryMicrophone(part.microphone)
    if (part.speaker !== undefined) call?.hearThrough(part.speaker).catch(() => {})
  }

  const options = (kind: MediaDeviceKind) => (
    <Options
      of={devices
        .filter((device) => device.kind === kind && device.deviceId !== '' && device.deviceId !== 'default')
        .map(({ deviceId, label }) => [deviceId, label])}
    />
  )

  return (
    <div className="mt-3 flex flex-col gap-3">
      <Field label="Microphone" error={words}>
        <Select value={chosen.microphone} onChange={({ target }) => choose({ microphone: target.value })}>
          <option value="">System default</option>
          {options('audioinput')}
        </Select>
      </Field>
      {canChooseSpeaker && (
        <Field label="Speaker">
          <Select value={chosen.speaker} onChange={({ target }) => choose({ speaker: target.value })}>
            <option value="">System default</option>
            {options('audiooutput')}
          </Select>
        </Field>
      )}
      {!isLive &&
        (tried ? (
          <Meter label="Level" level={tried.ear.level} />
        ) : (
          <Button size="sm" className="self-start" onClick={() => void tryMicrophone(chosen.microphone)}>
            Test microphone
          </Button>
        ))}
    </div>
  )
}

/** Device names are available only after microphone access was granted. */
function useDevices(again: unknown): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: device names appear after a microphone was opened
  useEffect(() => {
    const read = () => void navigator.mediaDevices?.enumerateDevices().then(setDevices, () => {})
    read()
    navigator.mediaDevices?.addEventListener('devicechange', read)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', read)
  }, [again])
  return devices
}
