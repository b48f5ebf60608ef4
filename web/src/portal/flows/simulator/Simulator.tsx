import type { Flow } from '@trunkline/domain/flows'
import type { SoundNames } from '../words.ts'
import type { Simulation } from './use-simulation.ts'
export const Simulator = (_: {
  flow: Flow
  names: SoundNames
  simulation: Simulation
  onClose: () => void
}) => null
