import { createAdmin } from './admin.ts'
import { archive } from './archive.ts'
import { backUp, restore } from './backup.ts'
import { buildWeb } from './build-web.ts'
import { printBooks } from './check-books.ts'
import { installSwitch } from './install-switch.ts'
import { leaveDemo } from './leave-demo.ts'
import { moveDatabase } from './move-database.ts'
import { run } from './run.ts'
import { start } from './start.ts'
import { startSwitchAlone } from './switch-alone.ts'
import { test } from './test.ts'
import { UserError } from './user-error.ts'

const commands: Record<string, (args: string[]) => Promise<void>> = {
  start,
  run,
  test,
  admin: createAdmin,
  'check-books': printBooks,
  backup: backUp,
  restore,
  archive,
  'move-database': moveDatabase,
  'leave-demo': leaveDemo,
  'install-switch': installSwitch,
  switch: startSwitchAlone,
  build: () => buildWeb(),
}

// Keep the portal running when standard output is closed or full.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const [command = '', ...args] = process.argv.slice(2)
try {
  await commands[command]?.(args)
} catch (error) {
  // User errors are printed without a stack trace; any other error is a bug.
  const text = error instanceof UserError ? error.message : error instanceof Error ? error.stack : error
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
