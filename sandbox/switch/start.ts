import type { FastifyInstance } from 'fastify'
import { createWeb, portOf } from '../shared/web.ts'
import { controlRoutes } from './control-routes.ts'
import { type SwitchCore, type SwitchOptions, startSwitch } from './core.ts'

export type { CallRecord, CallWish, PlacedCall } from './call.ts'
export { createManualSwitchClock, type ManualSwitchClock, type SwitchClock } from './clock.ts'
export type { LoadReport, LoadWish } from './load.ts'

interface DemoSwitchOptions extends SwitchOptions {
  /** Port of the control page and the test controls; 0 means any free port. Without it there are none. */
  controlPort?: number
  /** More pages on the same port. */
  addPages?: (web: FastifyInstance) => Promise<void>
}

export interface RunningDemoSwitch extends SwitchCore {
  /** 0 without a control page. */
  controlPort: number
}

export async function startDemoSwitch({
  controlPort,
  addPages,
  ...options
}: DemoSwitchOptions): Promise<RunningDemoSwitch> {
  const core = await startSwitch(options)
  if (controlPort === undefined) return { ...core, controlPort: 0 }
  const web = createWeb()
  web.get('/', (_request, reply) => reply.redirect('/sandbox'))
  await web.register(controlRoutes, { core })
  await addPages?.(web)
  try {
    await web.listen({ port: controlPort, host: options.host ?? '127.0.0.1' })
  } catch (error) {
    await core.close()
    throw error
  }
  return {
    ...core,
    controlPort: portOf(web.server.address()),
    async close() {
      await core.close()
      await web.close()
    },
  }
}
