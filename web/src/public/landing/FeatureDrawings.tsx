import type { ReactNode } from 'react'

/* Decorative drawings of lines and lamps, one per feature. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 200 72"
      aria-hidden
      className="h-18 w-[12.5rem] max-w-full fill-none stroke-edge"
      strokeWidth="1.25"
      strokeLinecap="round"
    >
      {children}
    </svg>
  )
}

const Off = ({ x, y }: { x: number; y: number }) => <circle cx={x} cy={y} r="4.5" className="fill-surface" />

const Lit = ({ x, y }: { x: number; y: number }) => (
  <>
    <circle cx={x} cy={y} r="9" className="fill-signal stroke-none" opacity="0.28" />
    <circle cx={x} cy={y} r="4.5" className="fill-signal stroke-signal-edge" />
  </>
)

export const MenuDrawing = () => (
  <Drawing>
    <path d="M0 36h60m0 0c20 0 20-24 40-24h90M60 36h130M60 36c20 0 20 24 40 24h90" />
    <Lit x={60} y={36} />
    <Off x={120} y={12} />
    <Off x={150} y={36} />
    <Off x={180} y={60} />
  </Drawing>
)

export const GuardDrawing = () => (
  <Drawing>
    <path d="M0 36h50M150 36h50" strokeDasharray="2 6" />
    <path d="M66 36h68" />
    <path d="M66 10H56v52h10M134 10h10v52h-10" className="stroke-ink" strokeWidth="1.5" />
    <Off x={20} y={36} />
    <Lit x={100} y={36} />
    <Off x={180} y={36} />
  </Drawing>
)

const loads = [10, 16, 13, 24, 30, 22, 36, 44, 34, 40, 50]

export const LoadDrawing = () => (
  <Drawing>
    <path d="M0 64h200" />
    {loads.map((load, at) => (
      <path key={load} d={`M${12 + at * 17} 64V${64 - load}`} strokeWidth="2" />
    ))}
    <Lit x={182} y={14} />
  </Drawing>
)

export const PathDrawing = () => (
  <Drawing>
    <path d="M20 36c30 0 30-24 60-24h40c30 0 30 24 60 24M20 36h160" strokeDasharray="2 6" />
    <path
      d="M0 36h20c30 0 30 24 60 24h40c30 0 30-24 60-24h20"
      className="stroke-signal-edge"
      strokeWidth="1.75"
    />
    <Off x={100} y={12} />
    <Off x={100} y={36} />
    <Lit x={100} y={60} />
  </Drawing>
)

export const TenantsDrawing = () => (
  <Drawing>
    <path d="M0 12h200M0 36h200M0 60h200" />
    <Off x={40} y={12} />
    <Lit x={120} y={12} />
    <Lit x={70} y={36} />
    <Off x={160} y={36} />
    <Off x={30} y={60} />
    <Lit x={148} y={60} />
  </Drawing>
)

export const SteadyDrawing = () => (
  <Drawing>
    <path d="M0 36h200" className="stroke-signal-edge" strokeWidth="1.75" />
    {[20, 60, 100, 140, 180].map((x) => (
      <Lit key={x} x={x} y={36} />
    ))}
  </Drawing>
)
