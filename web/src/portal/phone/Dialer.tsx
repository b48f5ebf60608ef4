import { useQuery } from '@tanstack/react-query'
import { AudioLines, Delete, Phone as PhoneIcon } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Button } from '../../ui/Button.tsx'
import { controlClass } from '../../ui/Input.tsx'
import { DialPreview } from './DialPreview.tsx'
import type { Line, Phone } from './engine/phone.ts'
import { IconButton } from './IconButton.tsx'
import { Keypad } from './Keypad.tsx'
import { recentQuery } from './queries.ts'
import { Receiving } from './Receiving.tsx'
import { SoundSettings } from './SoundSettings.tsx'

type DialerProps = {
  phone: Phone
  line: Line
  number: string
  wantsCalls: boolean
  onNumber: (number: string) => void
}

export function Dialer({ phone, line, number, wantsCalls, onNumber }: DialerProps) {
  const input = useRef<HTMLInputElement>(null)
  const isReady = line.status === 'ready'

  useEffect(() => input.current?.focus(), [])

  function dial(event: FormEvent): void {
    event.preventDefault()
    if (dialable(number)) phone.call(dialable(number))
  }
  const callEcho = () => line.status === 'ready' && phone.call(line.phone.echo, true)

  return (
    <form onSubmit={dial} className="flex flex-col gap-3.5">
      <div>
        <label htmlFor="phone-number" className="mb-1.5 block font-medium text-sm">
          Number
        </label>
        <div className="relative">
          <input
            ref={input}
            id="phone-number"
            type="tel"
            autoComplete="off"
            placeholder="+44 20 7946 0958"
            value={number}
            onChange={(event) => onNumber(event.target.value)}
            className={`${controlClass} figures h-12 pr-10 text-xl`}
          />
          {number && (
            <div className="absolute top-1.5 right-1">
              <IconButton label="Delete the last digit" onClick={() => onNumber(number.slice(0, -1))}>
                <Delete aria-hidden />
              </IconButton>
            </div>
          )}
        </div>
        <DialPreview number={dialable(number)} />
      </div>
      <Keypad onPress={(digit) => onNumber(number + digit)} />
      <Button type="submit" variant="primary" size="lg" disabled={!isReady || !dialable(number)}>
        <PhoneIcon aria-hidden />
        Call
      </Button>
      <Recent onChoose={onNumber} />
      <div className="flex flex-col gap-2 border-t pt-3.5">
        <Button disabled={!isReady} onClick={callEcho}>
          <AudioLines aria-hidden />
          Echo test
        </Button>
        <p className="text-muted text-xs">Free. Checks your microphone, speaker and network.</p>
      </div>
      <Receiving wantsCalls={wantsCalls} />
      <SoundSettings phone={phone} />
    </form>
  )
}

/** Keeps the characters that the switch accepts. */
const dialable = (typed: string): string => typed.replace(/[^0-9+*#]/g, '')

const MAX_RECENT = 4

function Recent({ onChoose }: { onChoose: (number: string) => void }) {
  const { data = [] } = useQuery(recentQuery)
  if (data.length === 0) return null
  return (
    <div>
      <h3 className="mb-1.5 text-muted text-xs">Recent numbers</h3>
      <ul className="flex flex-wrap gap-1.5">
        {data.slice(0, MAX_RECENT).map((number) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChoose(number)}
              className="figures h-8 rounded-md border border-edge/40 bg-raised px-2.5 text-sm hover:border-edge"
            >
              <PhoneNumber of={number} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
