import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './source-files.ts'

const sheet = readFileSync(join(root, 'web/src/styles/tokens.css'), 'utf8')

function colorsOf(theme: string): Record<string, string> {
  const block = sheet.slice(sheet.indexOf(`[data-theme="${theme}"] {`)).split('\n}')[0] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const surfaces = ['sunken', 'ground', 'surface', 'raised']
const texts = ['ink', 'muted', 'faint', 'signal-ink', 'pending', 'danger', 'success']

const textPairs = [
  ...texts.flatMap((text) => surfaces.map((ground) => [text, ground])),
  ...['signal', 'pending', 'danger', 'success'].flatMap((tone) => [
    ['ink', `${tone}-soft`],
    [tone === 'signal' ? 'signal-ink' : tone, `${tone}-soft`],
  ]),
  ['on-signal', 'signal'],
  ['on-signal', 'signal-hover'],
  ['on-danger', 'danger'],
]

const edgePairs = ['edge', 'signal-edge', 'signal-ink'].flatMap((edge) =>
  surfaces.map((ground) => [edge, ground]),
)

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  const colors = colorsOf(theme)
  const between = (one: string, other: string) => contrast(colors[one] ?? '', colors[other] ?? '')

  test.each(textPairs)('%s is readable on %s', (text = '', ground = '') => {
    expect(between(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(edgePairs)('%s is visible on %s', (edge = '', ground = '') => {
    expect(between(edge, ground)).toBeGreaterThanOrEqual(3)
  })
})
