import { useQuery } from '@tanstack/react-query'
import type { SipConnection } from '@trunkline/contract/sip-credentials'
import { type ReactNode, useState } from 'react'
import { explain } from '../../app/api.ts'
import { Failure } from '../../common/Failure.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Loading, Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { BeforeCalling } from './BeforeCalling.tsx'
import { type CopyFact, CopyFacts } from './CopyFacts.tsx'
import { FromBrowser } from './FromBrowser.tsx'
import { sipQuery } from './queries.ts'
import { Registrations } from './Registrations.tsx'
import { SipPassword } from './SipPassword.tsx'
import { Snippets } from './Snippets.tsx'

export function ConnectGuide({ isTestCall }: { isTestCall: boolean }) {
  const sip = useQuery(sipQuery)
  const [password, setPassword] = useState<string | null>(null)
  if (sip.isPending) return <Waiting />
  if (!sip.data)
    return (
      <Failure onRetry={() => void sip.refetch()}>
        {explain(sip.error, 'The connection settings could not be loaded.')}
      </Failure>
    )
  return (
    <div className="flex flex-col gap-7">
      {isTestCall && <BeforeCalling />}
      {isTestCall && (
        <Part title="Call from this browser">
          <FromBrowser />
        </Part>
      )}
      <Part title="Server settings">
        <Address sip={sip.data} />
      </Part>
      <Part title="SIP password">
        <SipPassword sip={sip.data} password={password} onMade={setPassword} />
      </Part>
      <Part title="Configuration examples">
        <Snippets sip={sip.data} password={password} />
      </Part>
      <Part title="Registered phones">
        <Registrations />
      </Part>
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-2.5 font-semibold">{title}</h3>
    {children}
  </section>
)

function Address({ sip }: { sip: SipConnection }) {
  const facts: CopyFact[] = [
    ['Port', String(sip.port)],
    ['TLS port', String(sip.tls_port)],
    ['Transport', sip.transports.map((one) => one.toUpperCase()).join(', ')],
    ['Username', sip.username],
    ['Realm', sip.realm],
  ]
  if (sip.server !== null) facts.unshift(['Server', sip.server])
  return (
    <>
      {sip.server === null && (
        <Notice tone="pending" className="mb-3">
          Your provider has not set the server address yet. Contact support to get it.
        </Notice>
      )}
      <CopyFacts facts={facts} />
    </>
  )
}

const Waiting = () => (
  <Loading className="flex flex-col gap-4">
    <Skeleton className="h-5 w-40" />
    <div className="rounded-md border px-3.5">
      <SkeletonRows rows={6} />
    </div>
    <Skeleton className="mt-3 h-5 w-32" />
    <Skeleton className="w-3/4" />
    <Skeleton className="h-10 w-48" />
  </Loading>
)
