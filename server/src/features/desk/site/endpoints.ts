import type { Site } from '@trunkline/contract/site'
import { type Database, databaseAnswers } from '../../../platform/database.ts'
import { defineHandlers, WithStatus } from '../../../platform/handler.ts'

export const siteEndpoints = (db: Database, site: Site) =>
  defineHandlers({
    'GET /api/site': async () => site,

    'GET /api/health': async () => ((await databaseAnswers(db)) ? true : new WithStatus(503, false)),
  })
