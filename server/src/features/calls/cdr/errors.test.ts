import { describe, expect, it } from 'vitest'
import { createPortal, signUp } from '../../../../test/portal.ts'

describe('explains invalid input', () => {
  it('of a list', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    const faults: Record<string, string | number>[] = [
      { timezone: 'Nowhere/Land' },
      { timezone: '' },
      { limit: 0 },
      { limit: 501 },
      { cursor: 'rubbish' },
      { cursor: 'zzzzzzzzzzz.YQ' },
      { from: 'yesterday' },
      { from: '2026-03-01' },
      { status: 'unknown' },
      { country: 'Atlantis' },
      { min_duration: -1 },
      { min_duration: 'x' },
      { max_cost: 0.0000001 },
      { search: 'x'.repeat(101) },
      { unknown: 1 },
    ]
    for (const query of faults)
      expect({ query, ...(await portal.call('GET /api/cdr', { token, query })) }).toMatchObject({
        query,
        status: 400,
        code: 'invalid_input',
      })
  })

  it('of a record: returns 404 for any unknown or malformed ID', async () => {
    const portal = await createPortal()
    const { token } = await signUp(portal, 'alice')
    for (const id of ['mm7wq3e0.c3cxL25vbmU', 'zzzzzzzzzzz.YQ', '1.AA'])
      expect(await portal.call('GET /api/cdr/:id', { token, params: { id } })).toMatchObject({ status: 404 })
    expect((await portal.call('GET /api/cdr/:id', { token, params: { id: '1' } })).status).toBe(400)
  })
})
