import type { Site } from '@trunkline/contract/site'
import { type Database, databaseAnswers } from '../../../platform/database.ts'
import { type HandlersOf, WithStatus } from '../../../platform/handler.ts'

export const siteEndpoints = (db: Database, site: Site): HandlersOf<'GET /api/site' | 'GET /api/health'> => ({
  'GET /api/site': async () => site,

  'GET /api/health': async () => ((await databaseAnswers(db)) ? true : new WithStatus(503, false)),
})
