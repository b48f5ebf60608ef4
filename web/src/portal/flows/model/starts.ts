import { type Flow, type FlowTemplate, flowTemplates } from '@trunkline/domain/flows'
import {
  CalendarClock,
  CirclePlus,
  ConciergeBell,
  type LucideIcon,
  PhoneCall,
  Users,
  Voicemail,
} from 'lucide-react'
import { viewersZone } from '../../../common/format/viewer.ts'
import { arrange } from './arrange.ts'
import { blankFlow } from './blank.ts'

/** A way to start a flow. */
type Start = { id: string; name: string; about: string; icon: LucideIcon; flow: () => Flow }

const icons: Record<FlowTemplate['id'], LucideIcon> = {
  reception: ConciergeBell,
  opening_hours: CalendarClock,
  ring_everywhere: PhoneCall,
  queue: Users,
  voicemail: Voicemail,
}

export const starts: readonly Start[] = [
  ...flowTemplates.map(({ id, name, about, flow }) => ({
    id,
    name,
    about,
    icon: icons[id],
    flow: () => arrange(flow(viewersZone())),
  })),
  {
    id: 'blank',
    name: 'Empty flow',
    about: 'One step that hangs up. Draw everything yourself.',
    icon: CirclePlus,
    flow: blankFlow,
  },
]
