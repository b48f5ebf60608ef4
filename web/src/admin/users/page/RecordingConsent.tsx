import { queryOptions, useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@trunkline/contract/admin-users'
import type { RecordingSettings } from '@trunkline/contract/recordings'
import { useState } from 'react'
import { api } from '../../../app/api.ts'
import { queryClient } from '../../../app/query-client.ts'
import { Confirm } from '../../../common/Confirm.tsx'
import { Facts } from '../../../common/Facts.tsx'
import { Loaded } from '../../../common/Loaded.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TitledCard } from '../../../ui/Card.tsx'

const consentQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id, 'recording'],
    queryFn: async ({ signal }) =>
      (await api('GET /api/admin/users/:id/recording', { params: { id }, signal })).settings,
  })

/** The operator's consent to record calls. */
export function RecordingConsent({ user }: { user: UserDetails }) {
  return (
    <TitledCard title="Call recording">
      <Loaded query={useQuery(consentQuery(user.id))} failed="The recording settings could not be loaded.">
        {(settings) => <Consent user={user} settings={settings} />}
      </Loaded>
    </TitledCard>
  )
}

function Consent({ user, settings }: { user: UserDetails; settings: RecordingSettings }) {
  const [isAsking, setAsking] = useState(false)
  const { is_allowed: isAllowed } = settings
  const query = consentQuery(user.id)
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={isAllowed ? 'success' : 'neutral'}>{isAllowed ? 'Allowed' : 'Not allowed'}</Badge>
        {isAllowed ? 'This customer can record calls.' : 'No call of this customer is recorded.'}
      </p>
      {isAllowed && (
        <Facts
          facts={[
            ['All incoming calls', settings.records_all ? 'Recorded' : 'Only by number or step'],
            ['Calls the customer makes', settings.records_dialed ? 'Recorded' : 'Not recorded'],
            ['Announcement', settings.announces ? 'On' : 'Off'],
            ['Kept', `${settings.days_kept} days`],
          ]}
        />
      )}
      <Button className="self-start" onClick={() => setAsking(true)}>
        {isAllowed ? 'Stop recording' : 'Allow recording'}
      </Button>
      {isAsking && (
        <Confirm
          title={
            isAllowed ? `Stop recording for ${user.username}?` : `Allow ${user.username} to record calls?`
          }
          text={
            isAllowed
              ? 'New calls are not recorded. Existing recordings stay until their retention ends.'
              : 'Check that the law of the country allows it. By default, the other side hears an announcement.'
          }
          action={isAllowed ? 'Stop recording' : 'Allow recording'}
          isDanger={isAllowed}
          failed="The consent could not be changed."
          onConfirm={async () => {
            const { settings: saved } = await api('PUT /api/admin/users/:id/recording', {
              params: { id: user.id },
              body: { is_allowed: !isAllowed },
            })
            queryClient.setQueryData(query.queryKey, saved)
            return { message: saved.is_allowed ? 'Recording is allowed.' : 'Recording was stopped.' }
          }}
          reread={() => queryClient.invalidateQueries({ queryKey: query.queryKey })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
