/** The archive command. Works with and without a running portal. */
export { ArchiveRefusal } from '../features/calls/archive/archive-months.ts'
export {
  archiveBefore,
  LEAST_MONTHS,
  monthsBefore,
  verifyArchives,
} from '../features/calls/archive/service.ts'
