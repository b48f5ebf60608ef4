import type { ComponentProps } from 'react'

type RadioCardProps = Pick<ComponentProps<'input'>, 'name' | 'checked' | 'onChange'> & {
  label: string
  hint: string
}

/** One of several choices, with an explanation. */
export const RadioCard = ({ label, hint, ...rest }: RadioCardProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-md border border-edge/40 px-3.5 py-2.5 has-checked:border-signal-ink has-checked:bg-signal-soft">
    <input type="radio" className="mt-1 size-4 shrink-0 accent-signal-ink" {...rest} />
    <span>
      <span className="block font-medium text-sm">{label}</span>
      <span className="block text-muted text-sm">{hint}</span>
    </span>
  </label>
)
