import { test } from 'vitest'
import { fill } from '../src/demo/fill.ts'
import { isLong } from './long.ts'
import { createTestServer, type TestServer } from './server.ts'

/** The months of settlement in the demo data of tests. */
export const demoMonths = 8
const customers = isLong ? 60 : 30

/** For what only the demo of sixty customers has enough records to show. */
export const testWholeDemo = test.skipIf(!isLong)

/** A server with its own copy of the demo data, which is filled once per run. */
export const createDemoServer = (): Promise<TestServer> =>
  createTestServer({
    beginning: { name: 'demo', fill: (context) => fill(context, { customers, months: demoMonths }) },
  })
