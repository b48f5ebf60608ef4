import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UserDetails } from '@trunkline/contract/admin-users'
import type { AdminCdrRecord } from '@trunkline/contract/cdr'
import type { LiveCallView } from '@trunkline/contract/live-calls'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { formatCaller, lookOf as lookOfLive, otherSide } from '../../../common/calls/call-look.ts'
import { DirectionMark } from '../../../common/calls/DirectionMark.tsx'
import { isMissed } from '../../../common/calls/directions.ts'
import { lookOf } from '../../../common/calls/statuses.ts'
import { formatDuration } from '../../../common/format/durations.ts'
import { formatCost, formatExactMoney, formatRunningCost } from '../../../common/format/money.ts'
import { Loaded, Paged } from '../../../common/Loaded.tsx'
import { Moment } from '../../../common/Moment.tsx'
import { PhoneNumber } from '../../../common/PhoneNumber.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { headCells, numeric } from '../../../ui/BlockTable.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Card, TitledCard } from '../../../ui/Card.tsx'
import { Lamp } from '../../../ui/Lamp.tsx'
import { Table, TBody, Td, THead, Tr } from '../../../ui/Table.tsx'
import { liveCallsQuery, recordsQuery, rereadUsers } from '../queries.ts'
import { listCard } from './list-card.ts'

export function Calls({ user }: { user: UserDetails }) {
  return (
    <div className="flex flex-col gap-4 lg:gap-2 short:max-lg:gap-1.5">
      <LiveCalls user={user} />
      <Records user={user} />
    </div>
  )
}

function LiveCalls({ user }: { user: UserDetails }) {
  const live = useQuery(liveCallsQuery(user.id))
  const [ending, setEnding] = useState<LiveCallView | null>(null)
  return (
    <Card
      aria-label="Live calls"
      className="lg:grid lg:grid-cols-[8rem_minmax(0,1fr)] lg:items-baseline lg:px-4! lg:py-1.5! short:max-lg:grid short:max-lg:grid-cols-[6rem_minmax(0,1fr)] short:max-lg:items-baseline short:max-lg:px-3! short:max-lg:py-1!"
    >
      <h2 className="font-semibold tracking-tight max-lg:mb-2 short:max-lg:mb-0">Live calls</h2>
      <Loaded query={live} failed="The live calls could not be loaded.">
        {({ liveCallsDetails: calls }) =>
          calls.length === 0 ? (
            <p className="text-muted text-sm">No active calls</p>
          ) : (
            <ul className="divide-y">
              {calls.map((call) => {
                const { word, lit, pulse } = lookOfLive(call)
                return (
                  <li
                    key={call.uniqueid}
                    className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 lg:py-1"
                  >
                    <span className="flex items-center gap-2 text-sm">
                      <Lamp lit={lit} pulse={pulse} label="" />
                      {word}
                    </span>
                    <DirectionMark direction={call.direction} />
                    <span className="figures font-medium">
                      {call.direction === 'in' ? (
                        formatCaller(call.caller)
                      ) : (
                        <PhoneNumber of={call.ndiscado} e164={call.destination} />
                      )}
                    </span>
                    <span className="text-muted text-sm">{call.country}</span>
                    <span className="figures ml-auto text-sm">
                      {formatDuration(call.seconds)} · {formatRunningCost(call.cost)}
                    </span>
                    <Button
                      size="sm"
                      disabled={call.hangup_requested}
                      aria-label={`Hang up the call ${partyOf(call)}`}
                      onClick={() => setEnding(call)}
                    >
                      Hang up
                    </Button>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
      {ending && (
        <Confirm
          title="Hang up this call?"
          text={`The call of ${user.username} ${partyOf(ending)} ends for both parties.`}
          action="Hang up"
          failed="The call could not be ended. Please try again."
          onConfirm={() => api('POST /api/admin/live-calls/hangup', { body: { uniqueid: ending.uniqueid } })}
          reread={rereadUsers}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  )
}

function Records({ user }: { user: UserDetails }) {
  const records = useInfiniteQuery(recordsQuery(user.id))
  return (
    <TitledCard
      title="Call records"
      className={listCard}
      action={
        <Link to="/admin-panal/calls" search={allOf(user.id)} className={buttonClass({ size: 'sm' })}>
          Search and export
        </Link>
      }
    >
      <Paged
        query={records}
        failed="The call records could not be loaded."
        rowsOf={(page) => page.records}
        empty={{ title: 'No calls yet', text: `Calls of ${user.username} appear here.` }}
      >
        {(rows) => (
          <Table label="List of calls">
            <THead>
              <Tr>
                {headCells(
                  ['Date & Time', 'Destination', 'Trunk', numeric('Duration'), numeric('Cost'), 'Status'],
                  '',
                )}
              </Tr>
            </THead>
            <TBody>
              {rows.map((record) => (
                <Record key={record.id} record={record} userId={user.id} />
              ))}
            </TBody>
          </Table>
        )}
      </Paged>
    </TitledCard>
  )
}

const partyOf = (call: LiveCallView): string =>
  `${call.direction === 'in' ? 'from' : 'to'} ${otherSide(call)}`

/** Calls of all dates. */
const allOf = (user: number) => ({ user, period: 'custom' }) as const

function Record({ record, userId }: { record: AdminCdrRecord; userId: number }) {
  const { label, tone } = lookOf(record.status)
  return (
    // The link of the first cell covers the whole row.
    <Tr className="relative">
      <Td className="figures whitespace-nowrap">
        <Link
          to="/admin-panal/calls"
          search={{ ...allOf(userId), call: record.id }}
          preload={false}
          className="after:absolute after:inset-0"
        >
          <span className="sr-only">Details of the call of </span>
          <Moment at={record.started_at} seconds />
          <span className="sr-only"> to {record.destination}</span>
        </Link>
      </Td>
      <Td className="figures">
        <span className="flex items-center">
          <DirectionMark direction={record.direction} isMissed={isMissed(record)} />
          <span>
            <PhoneNumber of={record.destination} /> <span className="text-muted">{record.country}</span>
          </span>
        </span>
      </Td>
      <Td>{record.trunk}</Td>
      <Td numeric>{formatDuration(record.duration)}</Td>
      <Td numeric className="font-medium">
        <span title={formatExactMoney(record.cost)}>{formatCost(record.cost)}</span>
      </Td>
      <Td>
        <Badge tone={tone}>{label}</Badge>
      </Td>
    </Tr>
  )
}
