import { Fragment } from 'react'
import { cx } from './cx.ts'
import { Lamp, type LampState } from './Lamp.tsx'

/** A decorative line with lamps. */
export function TrunkLine({
  lamps,
  className,
}: {
  lamps: readonly { lit: LampState; pulse?: boolean }[]
  className?: string
}) {
  return (
    <div aria-hidden className={cx('flex items-center', className)}>
      <Hairline />
      {lamps.map((lamp, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lamp is its place on the line
        <Fragment key={at}>
          <Lamp lit={lamp.lit} pulse={lamp.pulse ?? false} label="" className="size-3.5" />
          <Hairline />
        </Fragment>
      ))}
    </div>
  )
}

const Hairline = () => <span className="h-px min-w-1 flex-1 bg-edge/55" />
