import { statfs } from 'node:fs/promises'
import type { Metrics, Sample } from './metrics.ts'

/** Free and total space of the disks of these folders, labeled by purpose. Missing folders are skipped. */
export function measureDisks(metrics: Metrics, folders: Readonly<Record<string, string>>): void {
  const perFolder =
    (read: (disk: { blocks: number; bavail: number; bsize: number }) => number) => async () => {
      const samples = Object.entries(folders).map(async ([name, folder]): Promise<Sample[]> => {
        const disk = await statfs(folder).catch(() => null)
        return disk ? [{ labels: [name], value: read(disk) }] : []
      })
      return (await Promise.all(samples)).flat()
    }
  metrics.asked(
    {
      name: 'trunkline_disk_free_bytes',
      help: 'Free space on the disk of a folder.',
      labels: ['folder'],
    },
    perFolder(({ bavail, bsize }) => bavail * bsize),
  )
  metrics.asked(
    { name: 'trunkline_disk_size_bytes', help: 'Size of the disk of a folder.', labels: ['folder'] },
    perFolder(({ blocks, bsize }) => blocks * bsize),
  )
}
