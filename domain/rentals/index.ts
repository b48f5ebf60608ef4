export { periodContaining, periodEnd, periodOf } from './periods.ts'
export {
  type Deadlines,
  deadlinesOf,
  decideRenewal,
  type RenewalFacts,
  type RenewalSettings,
  type RenewalStep,
} from './renewal.ts'
