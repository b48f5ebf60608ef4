import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CallRecord } from './call.ts'

/** Limit of completed calls in memory, for a long-running demo. */
const REMEMBERED = 200_000

/** The true outcome of all calls: in memory, and in `truth.jsonl` if a folder is given. */
export function createTruthLog(folder?: string) {
  const records = new Map<string, CallRecord>()
  const over: string[] = []
  let unwritten = ''
  if (folder) mkdirSync(folder, { recursive: true })

  const flush = () => {
    if (folder && unwritten !== '') appendFileSync(join(folder, 'truth.jsonl'), unwritten)
    unwritten = ''
  }
  const write = (step: 'answered' | 'over', record: CallRecord) => {
    if (!folder) return
    if (unwritten === '') setImmediate(flush)
    unwritten += `${JSON.stringify({ step, ...record })}\n`
  }
  return {
    open(record: CallRecord) {
      records.set(record.call, record)
    },
    write,
    close(record: CallRecord) {
      write('over', record)
      over.push(record.call)
      if (over.length > REMEMBERED) records.delete(over.shift() ?? '')
    },
    find: (call: string) => records.get(call),
    all: (): CallRecord[] => [...records.values()].map((record) => ({ ...record })),
    latest: (count: number): CallRecord[] =>
      over
        .slice(-count)
        .reverse()
        .flatMap((call) => records.get(call) ?? []),
    flush,
  }
}
export type TruthLog = ReturnType<typeof createTruthLog>
