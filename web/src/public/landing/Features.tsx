import {
  GuardDrawing,
  LoadDrawing,
  MenuDrawing,
  PathDrawing,
  SteadyDrawing,
  TenantsDrawing,
} from './FeatureDrawings.tsx'
import { Section } from './Section.tsx'

const features = [
  {
    title: 'VoIP and IVR solutions',
    text: 'SIP trunks and IVR telephony for your phones, your PBX and your callers.',
    drawing: MenuDrawing,
  },
  {
    title: 'Enterprise security',
    text: 'Your balance, your records and your caller ID stay behind your own sign-in.',
    drawing: GuardDrawing,
  },
  {
    title: 'Real-time analytics',
    text: 'Live calls, minutes and cost as they happen, and a record of every call after.',
    drawing: LoadDrawing,
  },
  {
    title: 'Smart routing',
    text: 'Choose a route for each country, with its price per minute in front of you.',
    drawing: PathDrawing,
  },
  {
    title: 'Multi-tenant support',
    text: 'Every account keeps its own balance, routes and records, apart from all others.',
    drawing: TenantsDrawing,
  },
  {
    title: '99.9% uptime',
    text: 'Lines that stay up, with support around the clock if one does not.',
    drawing: SteadyDrawing,
  },
]

export function Features() {
  return (
    <Section
      id="features"
      name="Features"
      title="Everything a trunk needs, on one panel"
      text="Real-time call tracking, trunk control and caller ID management in one place."
    >
      <ul className="grid gap-px overflow-hidden rounded-xl border bg-line sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ title, text, drawing: Drawing }) => (
          <li key={title} className="bg-surface p-6 sm:p-8">
            <Drawing />
            <h3 className="mt-7 font-semibold text-lg tracking-tight">{title}</h3>
            <p className="mt-1.5 max-w-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
