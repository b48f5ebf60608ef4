import type { APIRequestContext } from '@playwright/test'
import { bearerOf, demo, expect, LONDON } from './calls.ts'

/** The API as an administrator calls it: for what a story needs beside what it shows, or as the other administrator. */
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

/** A gate that a story opens when it has seen what stands before it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A call that goes on until somebody ends it. */
export async function placeCall(request: APIRequestContext, user: string): Promise<void> {
  const data = { user, to: LONDON, carriers: [{ code: 200, afterMs: 50 }], talkMs: null }
  const board = `${process.env.TRUNKLINE_STORY_SWITCH_URL}/sandbox`
  const connections = async () => (await (await request.get(`${board}/state`)).json()).connections
  await expect.poll(connections).toBeGreaterThan(0)
  expect((await request.post(`${board}/calls`, { data })).ok()).toBe(true)
}
