import { describe, expect, it } from 'vitest'
import { differencesIn, sayAction } from './words.ts'

describe('an entry of the audit log', () => {
  it('lists the changed fields with formatted values', () => {
    const before = { price: 0.0125, is_premium: false, name: 'Gold', rates: [] }
    const after = { price: 0.02, is_premium: true, name: 'Gold', rates: [{ prefix: '44', price: 0.01 }] }
    expect(differencesIn({ before, after })).toEqual([
      { field: 'Price', before: '$0.0125', after: '$0.02' },
      { field: 'Premium', before: 'no', after: 'yes' },
      { field: 'Rates', before: 'none', after: 'prefix 44 price $0.01' },
    ])
  })

  it('lists all fields of something created or deleted', () => {
    expect(differencesIn({ before: null, after: { name: 'Gold' } })).toEqual([
      { field: 'Name', before: null, after: 'Gold' },
    ])
    expect(differencesIn({ before: { low_balance: null }, after: null })).toEqual([
      { field: 'Low balance', before: 'none', after: null },
    ])
  })

  it('shows an unknown action by its name', () => {
    expect(sayAction('balance.adjust')).toBe('adjusted a balance')
    expect(sayAction('trunk.import_rates')).toBe('trunk: import rates')
  })
})
