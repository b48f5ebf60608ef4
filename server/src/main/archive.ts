/** The archive command. Works with and without a running portal. */
export { ArchiveRefusal } from '../features/calls/archive/archive-store.ts'
export {
  archiveBefore,
  MIN_MONTHS_KEPT,
  monthsBefore,
  verifyArchives,
} from '../features/calls/archive/service.ts'
