import { useUser } from '../../app/session.ts'
import { TitledCard } from '../../ui/Card.tsx'
import { Addresses } from './Addresses.tsx'
import { Alerts } from './Alerts.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { EmailCard } from './EmailCard.tsx'
import { LimitsCard } from './limits/LimitsCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { Sessions } from './Sessions.tsx'
import { SipCard } from './SipCard.tsx'

export function Profile() {
  const username = useUser()?.username
  if (username === undefined) return null
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-4">
        <ProfileCard />
        <Addresses />
        <LimitsCard />
        <Alerts />
      </div>
      <div className="flex flex-col gap-4">
        <SipCard />
        <EmailCard />
        <Sessions />
        <TitledCard title="Change password" id="password" className="scroll-mt-24">
          <ChangePassword username={username} />
        </TitledCard>
      </div>
    </div>
  )
}
