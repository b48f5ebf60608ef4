import { Mail, Phone } from 'lucide-react'
import { useSite } from '../../app/site.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ScreenTitle } from '../ScreenTitle.tsx'

export function Support() {
  return (
    <>
      <ScreenTitle title="Support Center" text="Get help with your VoIP services" />
      <Card className="max-w-2xl">
        <p className="mb-4">Contact the administrator by email or by phone.</p>
        <SupportContacts />
      </Card>
    </>
  )
}

/** How to reach whoever runs this portal. */
export function SupportContacts() {
  const support = useSite()?.support
  if (!support) return <Skeleton className="h-16 w-full" />
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      <li>
        <a href={`mailto:${support.email}`} className={contactClass}>
          <Mail aria-hidden />
          <span className="min-w-0">
            <span className="block text-muted text-sm">Email</span>
            <span className="block break-words font-medium">{support.email}</span>
          </span>
        </a>
      </li>
      <li>
        <a href={`tel:${support.phone.replace(/[^+\d]/g, '')}`} className={contactClass}>
          <Phone aria-hidden />
          <span className="min-w-0">
            <span className="block text-muted text-sm">Phone</span>
            <span className="figures block font-medium">{support.phone}</span>
          </span>
        </a>
      </li>
    </ul>
  )
}

const contactClass =
  'flex h-full items-center gap-3.5 rounded-lg border bg-raised px-4 py-3 transition-colors hover:border-edge [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-muted'
