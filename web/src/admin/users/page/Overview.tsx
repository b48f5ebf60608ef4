import type { UserDetails } from '@trunkline/contract/admin-users'
import { Facts } from '../../../common/Facts.tsx'
import { formatCalendarDate, formatDateTime } from '../../../common/format/dates.ts'
import { TitledCard } from '../../../ui/Card.tsx'
import { UserForm } from '../UserForm.tsx'
import { Health } from './Health.tsx'
import { Notes } from './Notes.tsx'
import { RecordingConsent } from './RecordingConsent.tsx'
import { Tags } from './Tags.tsx'

const moment = (at: string | null, none: string) => (at === null ? none : `${formatDateTime(at)}`)

export function Overview({ user }: { user: UserDetails }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Health user={user} />
        <Tags user={user} />
        <Notes user={user} />
        <RecordingConsent user={user} />
        <Details user={user} />
      </div>
      <TitledCard title="Edit">
        <UserForm user={user} isWhole />
      </TitledCard>
    </div>
  )
}

const Details = ({ user }: { user: UserDetails }) => (
  <TitledCard title="Details">
    <Facts
      facts={[
        ['User ID', String(user.id)],
        ['Created', moment(user.createdAt, '')],
        ['Last sign-in', moment(user.last_sign_in_at, 'Never')],
        ['Last call', user.last_call_on === null ? 'Never' : formatCalendarDate(user.last_call_on)],
        ['Caller ID', user.callerid === null ? 'Not set' : `+${user.callerid}`],
        ['Website IP', user.shown_websiteip ?? 'Not set'],
        ['Signed-in devices', devices(user.sessions)],
        ['Registered phones', String(user.registrations)],
        ['Live calls', String(user.live_calls)],
        ['Open tickets', String(user.open_tickets)],
        ['Open alerts', String(user.open_alerts)],
        ...(user.disabled_at ? [['Disabled', moment(user.disabled_at, '')] as [string, string]] : []),
      ]}
    />
  </TitledCard>
)

const devices = (count: number) => `${count} ${count === 1 ? 'device' : 'devices'}`
