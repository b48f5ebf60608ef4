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
    text: 'Only your account can see your balance, call records and caller ID.',
    drawing: GuardDrawing,
  },
  {
    title: 'Real-time analytics',
    text: 'Live calls, minutes and cost as they happen, plus a record of every call.',
    drawing: LoadDrawing,
  },
  {
    title: 'Smart routing',
    text: 'Choose a route for each country and see its price per minute.',
    drawing: PathDrawing,
  },
  {
    title: 'Multi-tenant support',
    text: 'Each account has its own balance, routes and records.',
    drawing: TenantsDrawing,
  },
  {
    title: '99.9% uptime',
    text: 'Reliable service with support around the clock.',
    drawing: SteadyDrawing,
  },
]

export function Features() {
  return (
    <Section
      id="features"
      name="Features"
      title="Everything you need to run SIP trunks"
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
