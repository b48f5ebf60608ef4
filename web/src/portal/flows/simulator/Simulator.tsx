import {
  actionText,
  choicesOf,
  choose,
  hangUp,
  nameOfStep,
  pressKey,
  type SoundNames,
  secondsToNext,
  worksOf,
} from '@trunkline/domain/flows'
import { FastForward, PhoneOff, RotateCcw, Timer, Volume2 } from 'lucide-react'
import { formatDuration } from '../../../common/format/durations.ts'
import { useForm } from '../../../common/forms/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Keypad } from '../../phone/Keypad.tsx'
import type { Line, Run } from './transcript.ts'
import type { Simulation } from './use-simulation.ts'

type SimulatorProps = { simulation: Simulation; names: SoundNames }

/** Tries the flow without a telephone: the same interpreter as in a call, with a clock that the user drives. */
export const Simulator = ({ simulation, names }: SimulatorProps) =>
  simulation.run ? (
    <Call simulation={simulation} run={simulation.run} names={names} />
  ) : (
    <StartForm onStart={simulation.start} />
  )

const pad = (figure: number): string => String(figure).padStart(2, '0')

/** Now, as a date and time field needs it. */
function localNow(): string {
  const now = new Date()
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}T${pad(now.getHours())}:${pad(now.getMinutes())}`
}

function StartForm({ onStart }: { onStart: Simulation['start'] }) {
  const form = useForm({
    initial: () => ({ caller: '+442079460958', at: localNow() }),
    validate: ({ at }) => (Number.isNaN(Date.parse(at)) ? { at: 'Please enter a date and time.' } : {}),
    submit: ({ caller, at }) => onStart({ caller: caller.replace(/[^\d]/g, ''), at: Date.parse(at) }),
    failed: 'The flow could not be started.',
  })
  return (
    <Form form={form} label="Test call" className="flex flex-col gap-4 px-5 pt-2 pb-5">
      <p className="text-muted text-sm">
        You are the caller. Press keys, let time pass and decide who answers. No call is made and nothing is
        charged.
      </p>
      <Field label="Caller">
        <Input {...form.bind('caller')} type="tel" maxLength={30} autoComplete="off" className="figures" />
      </Field>
      <Field label="Time of the call" error={form.errors.at} hint="In your time zone.">
        <Input {...form.bind('at')} type="datetime-local" />
      </Field>
      <Button type="submit" variant="primary">
        Start call
      </Button>
    </Form>
  )
}

function Call({ simulation, run, names }: SimulatorProps & { run: Run }) {
  const { simulation: call } = run
  const { isOver, stepId } = call.state
  const next = secondsToNext(call)
  return (
    <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
      <div aria-live="polite" className="rounded-lg border bg-ground p-3">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="min-w-0 truncate font-medium">
            {isOver ? 'The call is over' : stepId && nameOfStep(call.flow, stepId)}
          </span>
          <span className="figures text-muted">{formatDuration((call.now - call.startedAt) / 1000)}</span>
        </p>
        {!isOver && (
          <ul aria-label="Now" className="mt-1.5 flex flex-col gap-1 text-muted text-sm">
            {worksOf(call).map((action) => (
              <li key={action.type} className="break-words">
                {actionText(action, names)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOver ? (
        <Button onClick={simulation.stop}>
          <RotateCcw aria-hidden />
          Start again
        </Button>
      ) : (
        <>
          {choicesOf(call).length > 0 && (
            <fieldset className="flex flex-wrap gap-2">
              <legend className="mb-1.5 font-medium text-sm">What happens?</legend>
              {choicesOf(call).map(({ label, event }) => (
                <Button key={label} size="sm" onClick={() => simulation.act((now) => choose(now, event))}>
                  {label}
                </Button>
              ))}
            </fieldset>
          )}
          <div className="grid grid-cols-3 gap-2">
            <Button size="sm" className="px-1.5" onClick={() => simulation.pass(5)}>
              <Timer aria-hidden />
              Wait 5 s
            </Button>
            <Button
              size="sm"
              className="px-1.5"
              disabled={next === null}
              title="Until something happens by itself"
              onClick={() => next !== null && simulation.pass(next)}
            >
              <FastForward aria-hidden />
              {next === null ? 'Skip' : `Skip ${formatDuration(next)}`}
            </Button>
            <Button variant="danger" size="sm" className="px-1.5" onClick={() => simulation.act(hangUp)}>
              <PhoneOff aria-hidden />
              Hang up
            </Button>
          </div>
          <div className="[&_button>span+span]:hidden [&_button]:h-9">
            <Keypad onPress={(key) => simulation.act((now) => pressKey(now, key))} />
          </div>
        </>
      )}
      <Transcript lines={run.lines} />
    </div>
  )
}

const lineClass: Record<Line['type'], string> = {
  step: 'font-semibold',
  heard: 'rounded-md bg-signal-soft px-2.5 py-1.5',
  event: 'text-muted',
  end: 'font-semibold',
}

function Transcript({ lines }: { lines: readonly Line[] }) {
  return (
    <section aria-label="Path" className="border-t pt-4">
      <h4 className="mb-2 font-semibold text-sm">Path, newest first</h4>
      <ol aria-label="Path of the call" className="flex flex-col-reverse gap-1.5 text-sm">
        {lines.map(({ seconds, type, text }, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
            key={at}
            className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-2"
          >
            <span className="figures text-muted">{formatDuration(seconds)}</span>
            <span className={cx('break-words', lineClass[type])}>
              {type === 'heard' && (
                <Volume2 aria-label="Caller hears" role="img" className="mr-1.5 inline size-3.5" />
              )}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
