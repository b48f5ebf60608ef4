import { useRef } from 'react'
import { useSite } from '../../app/site.ts'
import { SkipLink } from '../../common/SkipLink.tsx'
import { Contact } from './Contact.tsx'
import type { ContactFormHandle } from './ContactForm.tsx'
import { Features } from './Features.tsx'
import { Footer } from './Footer.tsx'
import { Hero } from './Hero.tsx'
import { NavBar } from './NavBar.tsx'
import { Pricing } from './Pricing.tsx'

export function Landing() {
  const site = useSite()
  const contactForm = useRef<ContactFormHandle>(null)
  const name = site?.name ?? 'Trunkline'

  return (
    <>
      <SkipLink />
      <NavBar name={name} />
      <main>
        <Hero onScheduleDemo={() => contactForm.current?.requestDemo()} />
        <Features />
        <Pricing />
        <Contact support={site?.support} form={contactForm} />
      </main>
      <Footer name={name} />
    </>
  )
}
