import { expect, test } from 'vitest'
import { blankUpload, missingIn, nameOf, openFile, requestOf, validateUpload } from './upload-form.ts'

const file = openFile(
  'Carrier_November.csv',
  '\uFEFFStart;Called;Duration;Cost\n2026-11-01 10:00;4930;60;0,1\n',
)
const filled = { ...blankUpload(3, 'UTC'), name: ' November ' }

test('a chosen file shows its columns with an example', () => {
  expect(file).toMatchObject({
    header: ['Start', 'Called', 'Duration', 'Cost'],
    example: ['2026-11-01 10:00', '4930', '60', '0,1'],
    columns: { start: 0, number: 1, duration: 2, amount: 3 },
  })
  expect(missingIn(file)).toEqual([])
  expect(missingIn(openFile('x.csv', 'a,b\n1,2'))).toEqual(['start', 'number', 'duration', 'amount'])
  expect(nameOf(file.name)).toBe('Carrier November')
})

test('an upload needs a carrier, a name and a file', () => {
  expect(Object.keys(validateUpload(blankUpload(undefined, 'UTC'), null))).toEqual([
    'trunk_id',
    'name',
    'file',
  ])
  expect(validateUpload(filled, file)).toEqual({})
})

test('an upload with impossible limits is refused', () => {
  const wrong = {
    ...filled,
    from: '2026-11-30',
    to: '2026-11-01',
    match_tolerance: '-1',
    duration_tolerance: '1.5',
    price_tolerance: '101',
  }
  expect(Object.keys(validateUpload(wrong, file))).toEqual([
    'to',
    'match_tolerance',
    'duration_tolerance',
    'price_tolerance',
  ])
})

test('a request leaves out what was left blank', () => {
  expect(requestOf(filled, file)).toEqual({
    trunk_id: 3,
    name: 'November',
    file_name: 'Carrier_November.csv',
    file: file.text,
    columns: file.columns,
    timezone: 'UTC',
    match_tolerance: 60,
    duration_tolerance: 1,
    price_tolerance: 0.0001,
  })
})
