/** Runs before each journey file, even if the worker has loaded the modules for another file. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import { connectBrowser, endFile, endTest, shownNow } from './app.ts'

beforeAll(connectBrowser)
afterEach(async ({ task: { name, id, result } }) => {
  const hasFailed = result?.state === 'fail'
  const shown = hasFailed && (await shownNow(`${name.replace(/\W+/gu, '_').slice(0, 60)}-${id}`))
  if (shown && result.errors?.[0]) Object.assign(result.errors[0], { shown })
  await endTest(hasFailed)
})
afterAll(endFile)
