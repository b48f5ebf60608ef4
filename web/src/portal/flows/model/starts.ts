import type { Flow } from '@trunkline/domain/flows'
import { CirclePlus, type LucideIcon } from 'lucide-react'
import { blankFlow } from './blank.ts'

/** A way to start a flow. */
type Start = { id: string; name: string; about: string; icon: LucideIcon; flow: () => Flow }

export const starts: readonly Start[] = [
  {
    id: 'blank',
    name: 'Empty flow',
    about: 'One step that hangs up. Draw everything yourself.',
    icon: CirclePlus,
    flow: blankFlow,
  },
]
