import { runProcess } from './process.ts'

await runProcess(['media'])
