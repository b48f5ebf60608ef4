import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPortalProcess } from './portal-process.ts'

/** One portal for all stories, with an empty data folder. Each story creates its users. */
export default async function startForAllStories(): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), 'trunkline-stories-'))
  const portal = await startPortalProcess(data)
  process.env.TRUNKLINE_STORY_URL = portal.url
  process.env.TRUNKLINE_STORY_DATA = data
  process.env.TRUNKLINE_STORY_SWITCH_URL = portal.switchUrl
  return async () => {
    await portal.stop()
    await rm(data, { recursive: true, force: true })
  }
}
