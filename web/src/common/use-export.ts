import { useEffect, useRef, useState } from 'react'
import { explain } from '../app/api.ts'
import { toast } from '../ui/toast.ts'

export type Running = {
  kind: 'PDF' | 'CSV'
  /** Rows so far. The total may be unknown. */
  rows: number
  total: number | undefined
  /** All rows are loaded and the PDF is being laid out. */
  isDrawing: boolean
}
export type Watch = { signal: AbortSignal; onProgress: (rows: number, isDrawing?: boolean) => void }
type Work = (watch: Watch) => Promise<void>

/** Runs one export at a time. Leaving the screen cancels it. */
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
