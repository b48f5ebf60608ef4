import { Mail, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSite } from '../../app/site.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

export function Contacts() {
  const support = useSite()?.support
  return (
    <Card aria-label="Contact" aria-busy={!support}>
      <p className="mb-4">Contact the admin by email or phone, or open a ticket below.</p>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {support ? (
          <>
            <Contact href={`mailto:${support.email}`} icon={<Mail aria-hidden />} label="Email">
              {support.email}
            </Contact>
            <Contact
              href={`tel:${support.phone.replace(/[^+\d]/g, '')}`}
              icon={<Phone aria-hidden />}
              label="Toll-free"
            >
              {support.phone}
            </Contact>
          </>
        ) : (
          [0, 1].map((place) => (
            <li key={place}>
              <Skeleton className="h-17 w-full rounded-lg" />
            </li>
          ))
        )}
      </ul>
    </Card>
  )
}

type ContactProps = { href: string; icon: ReactNode; label: string; children: string }

const Contact = ({ href, icon, label, children }: ContactProps) => (
  <li>
    <a
      href={href}
      className="flex min-h-17 items-center gap-3.5 rounded-lg border bg-raised px-4 py-3 transition-colors hover:border-edge [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span className="min-w-0">
        <span className="block text-muted text-sm">{label}</span>
        <span className="figures block wrap-anywhere font-medium">{children}</span>
      </span>
    </a>
  </li>
)
