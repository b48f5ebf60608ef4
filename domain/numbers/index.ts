export { callingCode } from './calling-code.ts'
export { completions } from './completions.ts'
export { type LineType, lineTypes } from './line-type.ts'
export { type PhoneNumber, parseNumber } from './parse.ts'
