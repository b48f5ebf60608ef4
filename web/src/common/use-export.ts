import { useEffect, useRef, useState } from 'react'
import { explain } from '../app/api.ts'
import { toast } from '../ui/toast.ts'

export type Running = {
  kind: 'PDF' | 'CSV'
  /** So far, and of how many; the latter is not always known. */
  rows: number
  total: number | undefined
  /** All of them are here and are being put on paper. */
  isDrawing: boolean
}
export type Watch = { signal: AbortSignal; onProgress: (rows: number, isDrawing?: boolean) => void }
type Work = (watch: Watch) => Promise<void>

/** One export at a time. It is given up when asked to or when the screen is left; a failure is told. */
export function useExport() {
  const [running, setRunning] = useState<Running | null>(null)
  const stopper = useRef<AbortController>(null)

  useEffect(() => () => stopper.current?.abort(), [])

  async function run(kind: Running['kind'], total: number | undefined, work: Work, signal: AbortSignal) {
    const onProgress: Watch['onProgress'] = (rows, isDrawing = false) =>
      setRunning({ kind, rows, total, isDrawing })
    onProgress(0)
    try {
      await work({ signal, onProgress })
    } catch (error) {
      if (!signal.aborted) toast.error(explain(error, `The ${kind} could not be created. Please try again.`))
    } finally {
      setRunning(null)
    }
  }

  return {
    running,
    begin(kind: Running['kind'], total: number | undefined, work: Work): void {
      stopper.current = new AbortController()
      void run(kind, total, work, stopper.current.signal)
    },
    cancel: () => stopper.current?.abort(),
  }
}
