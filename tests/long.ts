/**
 * Tests that do the same once more, for each family, language or record, run only where LONG says so: before a release
 * and at night. Whole files of them are named `*.long.test.ts`.
 */
export const isLong = Boolean(process.env.LONG)
