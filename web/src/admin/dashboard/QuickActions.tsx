import type { LucideIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { PanelCard } from '../../common/PanelCard.tsx'
import { useOverlay } from '../overlay.ts'
import { quickActions, useFollow } from '../quick-actions.ts'

const actionClass =
  'flex h-11 w-full items-center gap-3 rounded-md border border-edge/40 bg-raised px-3.5 text-left font-medium text-sm transition-colors hover:border-edge [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-muted'

export function QuickActions() {
  const show = useOverlay()
  return (
    <PanelCard title="Quick Actions" step={1}>
      <ul className="flex flex-col gap-2">
        {quickActions.map(({ label, icon: Icon, href }) => (
          <li key={label}>
            {href === null ? (
              <button type="button" className={actionClass} onClick={() => show('export')}>
                <Icon aria-hidden />
                {label}
              </button>
            ) : (
              <ActionLink href={href} icon={Icon} label={label} />
            )}
          </li>
        ))}
      </ul>
    </PanelCard>
  )
}

/** A real link; a plain click navigates without a page load. */
function ActionLink({ href, icon: Icon, label }: { href: string; icon: LucideIcon; label: string }) {
  const go = useFollow()
  function follow(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void go(href)
  }
  return (
    <a href={href} className={actionClass} onClick={follow}>
      <Icon aria-hidden />
      {label}
    </a>
  )
}
