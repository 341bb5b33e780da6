import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** Resolves once so many statements in the test's database wait for a lock. */
export const lockWait = ({ database: { pool } }: TestServer, count = 1): Promise<unknown> =>
  expect
    .poll(
      async () =>
        (
          await pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rowCount,
      { timeout: 60_000 },
    )
    .toBe(count)
