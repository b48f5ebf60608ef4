import { useEffect, useRef } from 'react'

const DRAW_EVERY_MS = 80

/** Updates the DOM directly, 12 times per second. */
export function Meter({ label, level }: { label: string; level: () => number }) {
  const bar = useRef<HTMLDivElement>(null)
  const look = useRef(level)
  look.current = level
  useEffect(() => {
    const timer = setInterval(() => {
      if (bar.current) bar.current.style.width = `${Math.round(look.current() * 100)}%`
    }, DRAW_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    // Hidden from screen readers, because it changes too fast.
    <div aria-hidden className="flex items-center gap-3 text-muted text-xs">
      <span className="w-20 shrink-0">{label}</span>
      <div className="h-2 flex-1 overflow-hidden rounded-sm border border-edge/50 bg-sunken">
        <div ref={bar} className="h-full w-0 bg-signal-edge" />
      </div>
    </div>
  )
}
