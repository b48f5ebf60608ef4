import { describe, expect, it } from 'vitest'
import { cut, FILLED_TEXT_MAX, fill, filledSound, VALUE_MAX, variablesIn } from './variables.ts'

const text = (words: string) => ({ kind: 'text', text: words, language: 'en' }) as const

describe('fill', () => {
  it('replaces variables by their values and unknown ones by nothing', () => {
    expect(fill('Hello {{ name }}{{nobody}}.', { name: 'Ann' })).toBe('Hello Ann.')
  })

  it('separates the characters of a spelled value', () => {
    expect(fill('Code {{spell code}}.', { code: 'A47' })).toBe('Code A 4 7.')
  })

  it('treats `spell` alone as a name', () => {
    expect(fill('{{spell}} {{ spell }}', { spell: 'x' })).toBe('x x')
    expect(variablesIn('{{spell}} {{spell code}} {{name}}')).toEqual(['spell', 'code', 'name'])
  })
})

describe('a character that does not fit as a whole', () => {
  const cutFace = (length: number) => `${'x'.repeat(length - 1)}\u{1f600}`
  const replaced = (length: number) => `${'x'.repeat(length - 1)}\ufffd`

  it('is replaced in a value and in a text', () => {
    expect(cut({ name: cutFace(VALUE_MAX) })).toEqual({ name: replaced(VALUE_MAX) })
    expect(fill(cutFace(FILLED_TEXT_MAX), {})).toBe(replaced(FILLED_TEXT_MAX))
  })

  it('is replaced in the parts of a spelled text', () => {
    const said = filledSound(text(`{{spell code}}${cutFace(FILLED_TEXT_MAX - 1)}`), { code: '1' })
    expect(said).toMatchObject({ parts: [{ spell: '1' }, { say: replaced(FILLED_TEXT_MAX - 1) }] })
    const spelled = filledSound(text('{{spell code}}'), { code: cutFace(FILLED_TEXT_MAX) })
    expect(spelled).toMatchObject({ parts: [{ spell: replaced(FILLED_TEXT_MAX) }] })
  })
})

describe('filledSound', () => {
  it('stays a text without spelled values', () => {
    expect(filledSound(text('Hello {{name}}'), { name: 'Ann' })).toEqual(text('Hello Ann'))
  })

  it('has parts to say and to spell', () => {
    expect(
      filledSound(text('Order {{spell order}} of {{name}}. Bye.'), { order: 'B2', name: 'Ann' }),
    ).toEqual({
      kind: 'spelled',
      text: 'Order B 2 of Ann. Bye.',
      language: 'en',
      parts: [{ say: 'Order ' }, { spell: 'B2' }, { say: ' of ' }, { say: 'Ann' }, { say: '. Bye.' }],
    })
  })

  it('is cut to the longest text', () => {
    const sound = filledSound(text('{{spell code}}{{name}}'.repeat(20)), {
      code: '1'.repeat(200),
      name: 'n'.repeat(200),
    })
    const parts = sound.kind === 'spelled' ? sound.parts : []
    const length = parts.reduce((sum, part) => sum + Object.values(part).join('').length, 0)
    expect(length).toBe(FILLED_TEXT_MAX)
  })
})
