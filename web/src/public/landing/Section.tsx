import type { ReactNode } from 'react'
import { Lamp } from '../../ui/Lamp.tsx'
import { page, type SectionId } from './sections.ts'

type SectionProps = { id: SectionId; name: string; title: ReactNode; text?: ReactNode; children: ReactNode }

export function Section({ id, name, title, text, children }: SectionProps) {
  return (
    <section id={id} aria-label={name} className="pt-20 sm:pt-28">
      <div className={page}>
        <div className="flex items-center gap-3">
          <Lamp lit="signal" label="" />
          <span className="engraved text-muted">{name}</span>
          <span className="h-px flex-1 bg-line" />
        </div>
        <div className="mt-8 mb-10 grid gap-x-16 gap-y-4 sm:mb-12 lg:grid-cols-2 lg:items-end">
          <h2 className="text-balance font-semibold text-3xl tracking-tight sm:text-4xl">{title}</h2>
          {text && <p className="max-w-lg text-lg text-muted lg:justify-self-end">{text}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}
