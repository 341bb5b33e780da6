/** Runs before each file of journeys, also where a worker has read the modules for another. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import { connectBrowser, endFile, endTest } from './app.ts'

beforeAll(connectBrowser)
afterEach(({ task: { name, id, result } }) => endTest({ name, id, hasFailed: result?.state === 'fail' }))
afterAll(endFile)
