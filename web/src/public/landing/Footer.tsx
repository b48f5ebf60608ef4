import { Link } from '@tanstack/react-router'
import { cx } from '../../ui/cx.ts'
import { Wordmark } from '../../ui/Logo.tsx'
import { TrunkLine } from '../../ui/TrunkLine.tsx'
import { page, sections } from './sections.ts'

const link = 'rounded-sm py-1 text-muted hover:text-ink'
const lamps = Array.from({ length: 24 }, (_, at) => ({ lit: at === 17 ? 'signal' : 'off' }) as const)

export function Footer({ name }: { name: string }) {
  return (
    <footer className="mt-24 sm:mt-32">
      <TrunkLine lamps={lamps} className="overflow-hidden" />
      <div className={cx(page, 'flex flex-wrap items-center gap-x-8 gap-y-6 py-10')}>
        <Wordmark name={name} />
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-1 md:ml-auto">
          {sections.map((section) => (
            <a key={section.id} href={`#${section.id}`} className={link}>
              {section.name}
            </a>
          ))}
          <Link to="/login" className={link}>
            Login
          </Link>
          <a href="/api/docs" className={link}>
            API reference
          </a>
        </nav>
        <p className="w-full text-muted text-sm">
          © {new Date().getFullYear()} {name}
        </p>
      </div>
    </footer>
  )
}
