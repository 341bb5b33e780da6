import type { TestProject } from 'vitest/node'
import { provideDatabase } from './globalSetup.ts'

/** Runs the same tests on the cluster that TEST_DATABASE_URL names. */
export default function setup(project: TestProject) {
  return provideDatabase(project, process.env.TEST_DATABASE_URL)
}
