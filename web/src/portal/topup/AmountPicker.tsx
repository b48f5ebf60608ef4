import {
  TOPUP_MAX_DOLLARS,
  TOPUP_MIN_DOLLARS,
  TOPUP_PRESETS_DOLLARS,
  TOPUP_SMALL_DOLLARS,
  TOPUP_STEP_DOLLARS,
} from '@trunkline/contract/limits'
import { type ComponentProps, useId } from 'react'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Lamp } from '../../ui/Lamp.tsx'
import { type Choice, faultIn, togglePreset, typeAmount } from './amount.ts'

type AmountPickerProps = { choice: Choice; onChoose: (choice: Choice) => void; onEnter: () => void }

export function AmountPicker({ choice, onChoose, onEnter }: AmountPickerProps) {
  const label = useId()
  const bind = (dollars: number) => ({
    dollars,
    isOn: choice.preset === dollars,
    onClick: () => onChoose(togglePreset(choice, dollars)),
  })
  return (
    <div className="flex flex-col gap-5">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out like the other labels */}
      <div role="group" aria-labelledby={label}>
        <p id={label} className="mb-1.5 font-medium text-sm">
          Amount
        </p>
        <div className="grid grid-cols-6 gap-2 sm:grid-cols-5">
          {TOPUP_PRESETS_DOLLARS.map((preset, at) => (
            <Preset
              key={preset}
              {...bind(preset)}
              className={at < 3 ? 'max-sm:col-span-2' : 'max-sm:col-span-3'}
            />
          ))}
        </div>
        <div className="mt-2 grid grid-cols-5 gap-2">
          {TOPUP_SMALL_DOLLARS.map((dollars) => (
            <SmallAmount key={dollars} {...bind(dollars)} />
          ))}
        </div>
      </div>
      <Field
        label="Other Amount"
        hint={`From $${TOPUP_MIN_DOLLARS} to $${TOPUP_MAX_DOLLARS}.`}
        error={faultIn(choice)}
      >
        <DollarInput
          name="amount"
          min={TOPUP_MIN_DOLLARS}
          max={TOPUP_MAX_DOLLARS}
          step={TOPUP_STEP_DOLLARS}
          value={choice.typed}
          onChange={(event) => onChoose(typeAmount(event.target.value))}
          onKeyDown={(event) => {
            // Browsers do not submit by Enter while the button is disabled; here Enter shows the missing amount.
            if (event.key !== 'Enter') return
            event.preventDefault()
            onEnter()
          }}
        />
      </Field>
    </div>
  )
}

type AmountProps = { dollars: number; isOn: boolean; onClick: () => void }

const lookOf = (isOn: boolean) =>
  isOn ? 'border-signal-edge bg-signal-soft text-signal-ink' : 'border-edge/60 bg-raised hover:border-edge'

const SmallAmount = ({ dollars, isOn, onClick }: AmountProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className={cx('figures h-10 rounded-md border font-medium text-sm transition-colors', lookOf(isOn))}
  >
    ${dollars}
  </button>
)

function Preset({ dollars, isOn, onClick, className }: AmountProps & { className: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        'flex h-18 flex-col items-center justify-center gap-1 rounded-lg border shadow-near transition-colors',
        lookOf(isOn),
        className,
      )}
    >
      <Lamp lit={isOn ? 'signal' : 'off'} label="" className="size-3.5" />
      <span className="figures font-semibold text-lg tracking-tight">${dollars}</span>
    </button>
  )
}

function DollarInput(props: ComponentProps<'input'>) {
  return (
    <div className="relative max-w-xs">
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted"
      >
        $
      </span>
      <Input
        {...props}
        type="number"
        inputMode="decimal"
        autoComplete="off"
        // Scrolling must not change the amount.
        onWheel={(event) => event.currentTarget.blur()}
        className="figures pl-7"
      />
    </div>
  )
}
