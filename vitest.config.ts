import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { TELEPHONE_WORKERS, WORKERS } from './launcher/test-workers.ts'

/** Slow files, by part. The runner would start with the largest files instead. */
const SLOW_FILES = Object.values({
  server: `messages load deliveries transfer events reconciler operator-filters sounds renewals analysis concurrency
    embedded-postgres`,
  launcher: 'operator start move-database profiles money-kills call-kills demo-calls',
  sip: `connections two-switches connection-limits kills flows recovery hostile toll-fraud abuse trunks incoming-hostile in-dialog-fuzz
    incoming-fuzz incoming-kills media called softphones registers far-carrier`,
}).flatMap((names) => names.split(/\s+/))

const rank = ({ moduleId }: TestSpecification): number => {
  const at = SLOW_FILES.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? SLOW_FILES.length : at
}

/** A slow file that starts last keeps one worker busy while the others are idle. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

const PREPARED_DATABASE = ['launcher/test/prepared-database.ts']

/** A busy machine needs longer; an idle one does not wait. */
const patient = { expect: { poll: { timeout: 60_000 } } }

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    sequence: { sequencer: SlowestFirst },
    // With `isolate: false` a worker loads the program once instead of once per file. Such tests must not change modules and must
    // restore everything else that they change.
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'domain/**/*.test.ts',
            'contract/**/*.test.ts',
            'media/**/*.test.ts',
            'checks/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
          isolate: false,
          ...patient,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          isolate: false,
          ...patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'sandbox',
          include: ['sandbox/**/*.test.ts'],
          isolate: false,
          ...patient,
          testTimeout: 300_000,
        },
      },
      // Real Kamailio, rtpengine, SIPp and softphones on the loopback.
      {
        test: {
          name: 'sip',
          include: ['sip/**/*.test.ts'],
          globalSetup: PREPARED_DATABASE,
          maxWorkers: TELEPHONE_WORKERS,
          // Vitest wants projects with different worker counts in different groups.
          sequence: { groupOrder: 1 },
          ...patient,
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
      // These tests start and kill whole portals. The first start may build the web app.
      {
        test: {
          name: 'launcher',
          include: ['launcher/**/*.test.ts'],
          globalSetup: PREPARED_DATABASE,
          ...patient,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
