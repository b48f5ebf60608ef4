import { type ReactNode, useEffect, useState } from 'react'
import { formatDuration } from '../../common/format/durations.ts'
import { formatCost, formatRunningCost } from '../../common/format/money.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Lamp } from '../../ui/Lamp.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { TrunkLine } from '../../ui/TrunkLine.tsx'
import { type ExampleCall, exampleAt, exampleRoutes } from './example-calls.ts'

const CHANNELS = 12
/** The lamps that light up for live calls. */
const occupied = [2, 5, 8, 10]

/** A sample dashboard, marked as an example. */
export function ExamplePanel({ className }: { className?: string }) {
  const { balanceDollars, heldDollars, calls } = exampleAt(useSecondsSeen())
  const lamps = Array.from({ length: CHANNELS }, (_, channel) => {
    const call = calls[occupied.indexOf(channel)]
    return { lit: call ? 'signal' : 'off', pulse: call?.isRinging ?? false } as const
  })

  return (
    <figure aria-label="Example dashboard with sample data" className={className}>
      <div aria-hidden>
        <Card className="p-0 shadow-far">
          <div className="flex h-11 items-center gap-2.5 border-b px-4">
            <span className="engraved text-muted">Dashboard</span>
            <Badge className="ml-auto">Example</Badge>
          </div>

          <div className="grid grid-cols-[1.6fr_1fr] gap-px border-b bg-line">
            <Reading
              name="Account Balance"
              note={<span className="text-pending">{formatCost(heldDollars)} held</span>}
            >
              {formatCost(balanceDollars)}
            </Reading>
            <Reading name="Active Calls" note={`of ${CHANNELS} channels`}>
              {calls.length}
            </Reading>
          </div>

          <div className="relative before:absolute before:top-1/2 before:left-full before:h-px before:w-[50vw] before:bg-edge/55">
            <TrunkLine lamps={lamps} className="py-4" />
          </div>

          <ul className="min-h-[7.5rem] border-t sm:min-h-[8.25rem]">
            {calls.slice(0, 3).map((call) => (
              <CallRow key={call.number} call={call} />
            ))}
          </ul>

          <div className="border-t pb-1">
            <Table className="[&_:is(td,th)]:px-2 [&_:is(td,th):first-child]:pl-4 [&_:is(td,th):last-child]:pr-4">
              <THead>
                <Tr>
                  <Th>Country</Th>
                  <Th>Route</Th>
                  <Th numeric>Per min</Th>
                </Tr>
              </THead>
              <TBody>
                {exampleRoutes.map((route) => (
                  <Tr key={route.country}>
                    <Td className="py-2">{route.country}</Td>
                    <Td className="py-2">
                      <span className="flex flex-wrap items-center gap-x-2">
                        {route.name}
                        {route.isPremium && <Badge tone="signal">Premium</Badge>}
                      </span>
                    </Td>
                    <Td numeric className="py-2">
                      {route.price}
                    </Td>
                  </Tr>
                ))}
              </TBody>
            </Table>
          </div>
        </Card>
      </div>
      <figcaption className="mt-3 text-center text-muted text-xs">Example with sample data</figcaption>
    </figure>
  )
}

function Reading({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="bg-surface px-4 pt-4 pb-3.5">
      <div className="engraved text-muted">{name}</div>
      <div className="mt-1.5 font-medium text-3xl tracking-tight figures sm:text-4xl">{children}</div>
      <div className="mt-1 text-muted text-sm figures">{note}</div>
    </div>
  )
}

function CallRow({ call }: { call: ExampleCall }) {
  return (
    <li className="flex h-10 animate-appear items-center gap-3 border-b px-4 text-sm last:border-0 sm:h-11">
      <Lamp lit="signal" pulse={call.isRinging} label="" />
      <span className="whitespace-nowrap font-mono text-[0.8125rem]">{call.number}</span>
      <span className="truncate text-muted max-sm:hidden">{call.country}</span>
      <span className={cx('ml-auto figures', call.isRinging && 'text-signal-ink')}>
        {call.isRinging ? 'Ringing' : formatDuration(call.talkSeconds)}
      </span>
      <span className="w-16 text-right text-muted figures">
        {call.isRinging ? '' : formatRunningCost(call.costDollars)}
      </span>
    </li>
  )
}

/** Seconds that the page was visible. Stays 0 when the visitor prefers reduced motion. */
function useSecondsSeen(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const timer = setInterval(() => document.hidden || setSeconds((past) => past + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
