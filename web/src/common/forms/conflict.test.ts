import { describe, expect, test } from 'vitest'
import { merge } from './conflict.ts'

const opened = { name: 'Meridian', capacity: '30', provider: '', plans: ['Gold'], password: '' }
const labels = {
  name: 'Name',
  provider: 'Provider',
  capacity: 'Capacity',
  plans: 'Plans',
  password: 'Password',
}

describe('merging a form after a conflict', () => {
  test('keeps what the user typed and takes the rest from the saved version', () => {
    const typed = { ...opened, capacity: '50', password: 'secret' }
    expect(merge(typed, opened, { ...opened, capacity: '40', provider: 'New' }, { labels }).values).toEqual({
      ...opened,
      capacity: '50',
      password: 'secret',
      provider: 'New',
    })
  })

  test('does not count surrounding spaces as a change', () => {
    const typed = { ...opened, capacity: ' 30 ' }
    expect(merge(typed, opened, { ...opened, capacity: '40' }, { labels }).values.capacity).toBe('40')
  })

  test('lists what someone else changed, in the order of the labels', () => {
    const saved = { ...opened, capacity: '50', provider: 'New', plans: [] }
    expect(merge(opened, opened, saved, { labels }).changes).toEqual([
      { label: 'Provider', was: 'None', is: 'New' },
      { label: 'Capacity', was: '30', is: '50' },
      { label: 'Plans', was: 'Gold', is: 'None' },
    ])
  })
})
