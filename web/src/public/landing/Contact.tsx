import type { RefObject } from 'react'
import { Card } from '../../ui/Card.tsx'
import { ContactForm, type ContactFormHandle } from './ContactForm.tsx'
import { Section } from './Section.tsx'

type Support = { email: string; phone: string }

export function Contact({
  support,
  form,
}: {
  support: Support | undefined
  form: RefObject<ContactFormHandle | null>
}) {
  return (
    <Section id="contact" name="Contact" title="Talk to us">
      <div className="grid items-start gap-x-16 gap-y-8 lg:grid-cols-[1fr_1.4fr]">
        <div>
          <p className="max-w-md text-lg text-muted">
            Ask a question or request a demo. We reply to every message by email.
          </p>
          {support && (
            <dl className="mt-8 border-t">
              <Way name="Email" href={`mailto:${support.email}`} text={support.email} />
              <Way name="Phone" href={`tel:${support.phone.replace(/[^+\d]/g, '')}`} text={support.phone} />
            </dl>
          )}
        </div>
        <Card className="sm:p-8">
          <ContactForm handle={form} />
        </Card>
      </div>
    </Section>
  )
}

/** Renders nothing if the provider has not set it. */
function Way({ name, href, text }: { name: string; href: string; text: string }) {
  if (!text) return null
  return (
    <div className="flex items-baseline gap-6 border-b py-3.5">
      <dt className="engraved w-14 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 break-words">
        <a
          href={href}
          className="rounded-sm font-mono text-sm underline decoration-edge underline-offset-4 hover:decoration-current"
        >
          {text}
        </a>
      </dd>
    </div>
  )
}
