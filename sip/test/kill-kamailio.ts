import type { RunningSwitch } from '../../launcher/switch.ts'
import { eventually } from './eventually.ts'

/** Kills Kamailio, and waits until the launcher has started it again. */
export async function killKamailio(running: RunningSwitch): Promise<void> {
  const before = running.kamailioPid() ?? 0
  process.kill(before, 'SIGKILL')
  await eventually(() => running.kamailioPid() !== before, 'new Kamailio')
}
