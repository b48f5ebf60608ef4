import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest though it is written in few lines; the runner would begin with the largest files. */
const LONGEST = ['deliveries', 'ledger.concurrent', 'reconciler', 'embedded-postgres']

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? LONGEST.length : at
}

/** Begun last, they would leave one worker alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
