import type { CdrRecord } from '@trunkline/contract/cdr'
import { describe, expect, it } from 'vitest'
import { countLines } from '../../download-csv.ts'
import { drawReport } from '../../pdf/report.ts'
import { lookOf } from '../statuses.ts'
import { cellsOf, columns, pdfColumns } from './columns.ts'

const record = {
  date: '2026-11-15',
  time: '04:53:12',
  caller: '+14155550142',
  destination: '+442079460958',
  duration: 3725,
  cost: 1.005,
  status: 'no-answer',
  direction: 'in',
} as CdrRecord

describe('the columns', () => {
  it('match the specification, and the PDF has the direction after them', () => {
    expect(columns).toEqual(['Date & Time', 'Caller', 'Destination', 'Duration', 'Cost', 'Status'])
    expect(cellsOf(record)).toEqual([
      '2026-11-15 04:53:12',
      '+14155550142',
      '+442079460958',
      '1:02:05',
      '$1.01',
      'No-answer',
      'Incoming',
    ])
    expect(pdfColumns).toEqual([...columns, 'Direction'])
  })

  it('show completed green, failed red, busy yellow and other statuses gray', () => {
    const tone = (status: string) => lookOf(status).tone
    expect(['completed', 'failed', 'busy', 'cancelled', 'refused', 'no-answer'].map(tone)).toEqual([
      'success',
      'danger',
      'pending',
      'neutral',
      'neutral',
      'neutral',
    ])
    expect(lookOf('forwarded')).toEqual({ label: 'Forwarded', tone: 'neutral' })
  })
})

describe('the PDF', () => {
  it('adds pages for more rows', () => {
    const pages = (rows: number) => {
      const raw = new TextDecoder('latin1').decode(
        drawReport(Array.from({ length: rows }, () => cellsOf(record))),
      )
      expect(raw.startsWith('%PDF-')).toBe(true)
      return [...raw.matchAll(/\/Type \/Page\b/g)].length
    }
    expect(pages(0)).toBe(1)
    // A row of one line each: the seventh column fits.
    expect(pages(30)).toBe(1)
    expect(pages(120)).toBeGreaterThan(2)
  })
})

describe('the CSV', () => {
  it('passes chunks through unchanged and counts lines', async () => {
    const counts: number[] = []
    const chunks = ['a,b\n1,', '2\n3,4\n', 'tail'].map((text) => new TextEncoder().encode(text))
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    const counted = source.pipeThrough(countLines((lines) => counts.push(lines)))
    expect(await new Response(counted).text()).toBe('a,b\n1,2\n3,4\ntail')
    expect(counts).toEqual([1, 3, 3])
  })
})
