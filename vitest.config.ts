import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long though it is written in few lines; the runner would begin with the largest files. */
const LONGEST = [
  ...['deliveries', 'ledger.model', 'ledger.concurrent', 'reconciler', 'embedded-postgres', 'transfer'],
  ...['start', 'move-database', 'call-kills', 'money-kills'],
  ...['kills', 'recovery', 'covered'],
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? LONGEST.length : at
}

/** Begun last, they would leave one worker alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** What is waited for comes when it comes: a busy machine is no failure. */
const patient = { expect: { poll: { timeout: 30_000 } } }

export default defineConfig({
  test: {
    // The default leaves a core free for watching; on two cores that would run one file at a time. While one waits for the database
    // or for a process, a third has something to do.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // `isolate: false`, where it says so: a worker reads the program once, not once for every file. No test there may
    // change a module, and whatever else it changes it puts back.
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'domain/**/*.test.ts',
            'contract/**/*.test.ts',
            'checks/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
          isolate: false,
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
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'sandbox',
          include: ['sandbox/**/*.test.ts'],
          isolate: false,
          ...patient,
          testTimeout: 120_000,
        },
      },
      // A real Kamailio, rtpengine and SIPp on the loopback. Most of the time is waiting for phones, so four files run at once.
      {
        test: {
          name: 'sip',
          include: ['sip/**/*.test.ts'],
          maxWorkers: 4,
          // Beside projects with another number of workers, where all are run in one go.
          sequence: { groupOrder: 1 },
          ...patient,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      // Whole portals are started and killed here, and first starts may build the web app.
      {
        test: {
          name: 'launcher',
          include: ['launcher/**/*.test.ts'],
          ...patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
