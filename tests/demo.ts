import { fill } from '../src/demo/fill.ts'
import { createTestServer, type TestServer } from './server.ts'

/** Of settlement, in what demo data are tested with. */
export const demoMonths = 8

/** A server with demo data of its own: filled once in a run, then copied. */
export const createDemoServer = (): Promise<TestServer> =>
  createTestServer({
    beginning: { name: 'demo', fill: (context) => fill(context, { customers: 60, months: demoMonths }) },
  })
