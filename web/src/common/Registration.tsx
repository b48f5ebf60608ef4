import type { ReactNode } from 'react'
import { Lamp } from '../ui/Lamp.tsx'

type RegistrationProps = {
  registration: { device: string; address: string }
  className: string
  /** Shown at the right. */
  children: ReactNode
}

/** A phone that is registered, as a list item. */
export const Registration = ({
  registration: { device, address },
  className,
  children,
}: RegistrationProps) => (
  <li className={`flex items-center gap-3 ${className}`}>
    <Lamp lit="signal" label="Registered" />
    <span className="min-w-0 flex-1">
      <span className="block break-words text-sm">{device || 'Unknown device'}</span>
      <span className="block break-words font-mono text-muted text-xs">{address}</span>
    </span>
    {children}
  </li>
)
