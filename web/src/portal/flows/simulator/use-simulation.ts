import type { Flow } from '@trunkline/domain/flows'

export type Simulation = {
  isRunning: boolean
  visitOf: (stepId: string) => 'now' | 'past' | 'none'
  hasTaken: (stepId: string, exit: string) => boolean
  stop: () => void
}
export const useSimulation = (_flow: Flow): Simulation => ({
  isRunning: false,
  visitOf: () => 'none',
  hasTaken: () => false,
  stop: () => {},
})
