import { expect, test } from 'vitest'
import { toUrl } from './url.ts'

test('an address becomes a method and a path', () => {
  expect(toUrl('POST /api/auth/login')).toEqual({ method: 'POST', url: '/api/auth/login' })
})

test('encodes params so that they cannot change the path', () => {
  expect(toUrl('PATCH /api/routes/:id/of/:name', { params: { id: 7, name: '../a b' } }).url).toBe(
    '/api/routes/7/of/..%2Fa%20b',
  )
})

test('throws on a missing param', () => {
  expect(() => toUrl('DELETE /api/routes/:id')).toThrow('needs id')
  expect(() => toUrl('DELETE /api/routes/:id', { params: { id: '' } })).toThrow('needs id')
})

test('omits undefined query values and repeats lists', () => {
  const query = { limit: 20, search: 'a&b', status: ['busy', 'failed'], from: undefined, to: null, on: false }
  expect(toUrl('GET /api/cdr', { query }).url).toBe(
    '/api/cdr?limit=20&search=a%26b&status=busy&status=failed&on=false',
  )
  expect(toUrl('GET /api/cdr', { query: {} }).url).toBe('/api/cdr')
})
