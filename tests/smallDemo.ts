import { fill } from '../src/demo/fill.ts'
import { createDemoServer, demoMonths as wholeMonths } from './demo.ts'
import { isLong } from './long.ts'
import { createTestServer, type TestServer } from './server.ts'

/** The months of settlement in it. */
export const demoMonths = isLong ? wholeMonths : 4

/** Like the demo of tests, but smaller in the short form: for what few customers have enough records to show. */
export const createSmallDemo = (): Promise<TestServer> =>
  isLong
    ? createDemoServer()
    : createTestServer({
        beginning: { name: 'small_demo', fill: (context) => fill(context, { customers: 20, months: demoMonths }) },
      })
