import { afterAll, afterEach } from 'vitest'
import type { SwitchOptions } from '../../../launcher/switch.ts'
import { resetNumbers } from './flow-calls.ts'
import { type Network, startNetwork } from './incoming-calls.ts'
import { type Provider, startProvider } from './provider.ts'

/** One provider for all tests of a file. Each test ends with its calls, numbers and trunks. */
export async function providerForFile(
  settings: Record<string, string> = {},
  switchOptions: Partial<SwitchOptions> = {},
): Promise<Provider> {
  const provider = await startProvider(settings, switchOptions)
  afterEach(() => resetNumbers(provider))
  afterAll(() => provider.close())
  return provider
}

/** The public telephone network for all tests of a file. It hangs up after each test, before the provider is reset. */
export async function networkForFile(provider: Provider): Promise<Network> {
  const network = await startNetwork(provider)
  afterEach(() => {
    for (const call of network.calls()) network.hangUp(call.id)
  })
  afterAll(() => network.close())
  return network
}
