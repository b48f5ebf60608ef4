import { createServer } from 'node:net'

/** Fails as a later listen would, before anything else has been started. */
export function ensurePortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

/** The port wished for, or 0 (any) when somebody has it already. */
export const portOrAny = (port: number, host: string): Promise<number> =>
  ensurePortIsFree(port, host).then(
    () => port,
    () => 0,
  )
