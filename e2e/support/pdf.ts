import { inflateSync } from 'node:zlib'
import { expect } from '@playwright/test'

/** The text of a PDF made by jsPDF, with its streams inflated. */
export function textOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  expect(raw.slice(0, 5)).toBe('%PDF-')
  return [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, packed = '']) => {
      try {
        return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
      } catch {
        return ''
      }
    })
    .join('\n')
}
