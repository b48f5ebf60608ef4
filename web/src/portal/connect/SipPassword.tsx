import { useMutation } from '@tanstack/react-query'
import type { SipConnection } from '@trunkline/contract/sip-credentials'
import { useState } from 'react'
import { api, explain } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { formatDate } from '../../common/format/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { sipQuery } from './queries.ts'

type SipPasswordProps = {
  sip: SipConnection
  /** A new password, known only until the guide is closed. */
  password: string | null
  onMade: (password: string) => void
}

/** The server stores only a hash of the SIP password, so it can be replaced but not shown. */
export function SipPassword({ sip, password, onMade }: SipPasswordProps) {
  const [isAsking, setAsking] = useState(false)
  const make = useMutation({
    mutationFn: () => api('POST /api/user/sip/password'),
    onSuccess: (made) => {
      setAsking(false)
      onMade(made.password)
      void queryClient.invalidateQueries({ queryKey: sipQuery.queryKey })
    },
  })
  const askOrMake = () => (sip.has_password ? setAsking(true) : make.mutate())

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted text-sm">
        {sip.has_password && sip.password_since
          ? `Created on ${formatDate(sip.password_since)}. For security, it cannot be shown again.`
          : 'Your phones sign in with a separate SIP password. You have not created one yet.'}
      </p>
      {password && (
        <div className="w-full rounded-md border border-signal-edge/50 bg-signal-soft p-3.5">
          <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <code className="min-w-0 break-all font-medium font-mono text-lg">{password}</code>
            <CopyButton text={password} what="SIP password" />
          </p>
          <p role="status" className="mt-2 text-sm">
            Copy this password now. It won’t be shown again. The examples below include it until you close
            this window.
          </p>
        </div>
      )}
      {isAsking ? (
        <Notice tone="pending" className="w-full">
          <p>
            The old password stops working immediately. Phones and PBXs that use it are refused until you
            enter the new one. Live calls continue.
          </p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" variant="danger" busy={make.isPending} onClick={() => make.mutate()}>
              Replace password
            </Button>
            <Button size="sm" onClick={() => setAsking(false)}>
              Keep current password
            </Button>
          </div>
        </Notice>
      ) : (
        <Button
          variant={sip.has_password ? 'secondary' : 'primary'}
          busy={make.isPending}
          onClick={askOrMake}
        >
          {sip.has_password ? 'Create new SIP password' : 'Create SIP password'}
        </Button>
      )}
      {make.isError && (
        <Notice tone="danger" className="w-full">
          {explain(
            make.error,
            'The password could not be created. The old one still works. Please try again.',
          )}
        </Notice>
      )}
    </div>
  )
}
