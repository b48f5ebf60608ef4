import type { APIRequestContext } from '@playwright/test'
import { bearerOf, demo, expect } from './calls.ts'

/** The API as an administrator, for setup or as a second administrator. */
export async function asAdmin(request: APIRequestContext) {
  const headers = await bearerOf(request, demo.admin)
  return {
    headers,
    get: async (path: string) => (await request.get(path, { headers })).json(),
    async send(method: 'post' | 'patch' | 'delete', path: string, data?: object) {
      const answer = await request[method](path, { headers, ...(data && { data }) })
      expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true)
      return answer.json()
    },
  }
}
