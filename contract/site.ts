import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'

export const Site = z.object({
  name: z.string(),
  support: z.object({ email: z.string(), phone: z.string() }),
  /** True if a switch accepts phones in browsers. */
  has_browser_phone: z.boolean(),
  /** Sign-in data of the demo profile. Null in production. */
  demo: z
    .object({
      accounts: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })),
      mailbox_url: z.string().nullable(),
      /** Page that calls a number from outside: `?number=` fills it in, `&dial=yes` dials. Null without a real switch. */
      dial_url: z.string().nullable(),
    })
    .nullable(),
})
export type Site = z.output<typeof Site>

export const site = {
  'GET /api/site': {
    access: 'anyone',
    summary: 'Get the name and contact details of the provider',
    answer: Site,
  },
  'GET /api/health': {
    access: 'anyone',
    summary:
      'Check the health of the portal. Returns true if the database responds, otherwise false with status 503',
    answer: z.boolean(),
  },
} as const satisfies Endpoints
