import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '@trunkline/contract/errors'

/** argon2id (the library's default) at 19 MiB and two passes takes 37 ms of a core: enough to make guessing dear. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type PasswordCost = typeof COST

/**
 * Hashing is the one thing a stranger can make us spend a core on. Past this many at once the honest answer is
 * "not now", or sign-in would slow down for everybody without end.
 */
const MAX_AT_ONCE = 64

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Only tests pass another cost, because they sign in thousands of times. */
export function createPasswordHasher(cost: PasswordCost = COST) {
  let running = 0
  // Unknown users are checked against this hash, so that the response time does not reveal whether a user exists.
  const dummyHash = hash('nobody has this password', cost)

  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (running >= MAX_AT_ONCE) throw new Refusal('unavailable')
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }

  return {
    hash: (password: string): Promise<string> => bounded(() => hash(password, cost)),
    matches: (password: string, passwordHash: string | undefined): Promise<boolean> =>
      bounded(async () => {
        const isRight = await verify(passwordHash ?? (await dummyHash), password)
        return isRight && passwordHash !== undefined
      }),
  }
}
