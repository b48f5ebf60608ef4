import { describe, expect, it } from 'vitest'
import { endpoints } from './index.ts'
import { openApiDocument, operationId } from './openapi.ts'

type Operation = { operationId: string; summary: string; description?: string }

const document = openApiDocument('Trunkline', '1')
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])

describe('the OpenAPI document', () => {
  it('derives the operationId from method and path', () => {
    expect(operationId('POST /register')).toBe('postRegister')
    expect(operationId('GET /api/routes/:id/rates.csv')).toBe('getRoutesByIdRatesCsv')
    expect(operationId('POST /api/auth/change-password')).toBe('postAuthChangePassword')
  })

  it('gives every endpoint a unique operationId', () => {
    expect(operations).toHaveLength(Object.keys(endpoints).length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length)
  })

  it('limits every summary to one sentence of at most 120 characters', () => {
    const wrong = operations.filter(({ summary }) => summary.includes('. ') || summary.length > 120)
    expect(wrong.map(({ summary }) => summary)).toEqual([])
  })

  it('names the portal that serves it as its server', () => {
    expect(document.servers).toEqual([{ url: '/', description: 'The portal that serves this document' }])
  })
})
