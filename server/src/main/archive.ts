/** Archiving as a command, beside a running portal or without one. */
export { ArchiveRefusal } from '../features/calls/archive/archive-months.ts'
export {
  archiveBefore,
  LEAST_MONTHS,
  monthsBefore,
  verifyArchives,
} from '../features/calls/archive/service.ts'
