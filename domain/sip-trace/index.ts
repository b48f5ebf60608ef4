export { type CapturedMessage, createDirections, type Endpoint, type Side } from './direction.ts'
export { type LadderColumn, type LadderStep, layOut, type TriedCarrier } from './ladder.ts'
export { readHead, type SipHead } from './message.ts'
export { REMOVED, redact } from './redact.ts'
