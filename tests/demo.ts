import { fill } from '../src/demo/fill.ts'
import { createTestServer, type TestServer } from './server.ts'

/** The months of settlement in the demo data of tests. */
export const demoMonths = 8

/** A server with its own copy of the demo data, which are filled once per run. */
export const createDemoServer = (): Promise<TestServer> =>
  createTestServer({
    beginning: { name: 'demo', fill: (context) => fill(context, { customers: 60, months: demoMonths }) },
  })
