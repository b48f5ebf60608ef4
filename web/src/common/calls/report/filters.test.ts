import { describe, expect, it } from 'vitest'
import { describeFilters, draftOf, readDraft } from './filters.ts'

const empty = draftOf({})

describe('the filter form', () => {
  it('parses typed values and omits empty fields', () => {
    expect(readDraft(empty)).toEqual({ ok: true, filters: {} })
    expect(readDraft({ ...empty, status: 'busy', min_duration: ' 30 ', max_cost: '0.5' })).toEqual({
      ok: true,
      filters: { status: 'busy', min_duration: 30, max_cost: 0.5 },
    })
  })

  it('has an error for every invalid field', () => {
    expect(readDraft({ ...empty, min_duration: '1.5', max_cost: 'much' })).toEqual({
      ok: false,
      faults: {
        duration: 'Please enter whole seconds.',
        cost: 'Please enter an amount in dollars, such as 0.50.',
      },
    })
    expect(
      readDraft({ ...empty, min_duration: '9', max_duration: '3', min_cost: '2', max_cost: '1' }),
    ).toEqual({
      ok: false,
      faults: {
        duration: 'The maximum is less than the minimum.',
        cost: 'The maximum is less than the minimum.',
      },
    })
  })

  it('restores the filters it was opened with', () => {
    const filters = { status: 'failed', country: 'FR', min_duration: 0, max_cost: 0.25 } as const
    expect(readDraft(draftOf(filters))).toEqual({ ok: true, filters })
  })
})

it('describes each filter and the filters without it', () => {
  expect(describeFilters({ status: 'no-answer', country: 'GB', max_duration: 60, min_cost: 0.5 })).toEqual([
    { text: 'Status: No-answer', without: { country: 'GB', max_duration: 60, min_cost: 0.5 } },
    { text: 'Country: United Kingdom', without: { status: 'no-answer', max_duration: 60, min_cost: 0.5 } },
    { text: 'At most 60 s', without: { status: 'no-answer', country: 'GB', min_cost: 0.5 } },
    { text: 'At least $0.50', without: { status: 'no-answer', country: 'GB', max_duration: 60 } },
  ])
})

it('reads, restores and describes the filter of the speech quality', () => {
  expect(readDraft({ ...empty, quality: 'poor' })).toEqual({ ok: true, filters: { quality: 'poor' } })
  expect(readDraft({ ...empty, quality: 'awful' })).toEqual({ ok: true, filters: {} })
  expect(describeFilters({ quality: 'poor' })).toEqual([{ text: 'Speech quality: Poor', without: {} }])
})
