import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'

/** Runs before each test file of the woven copy: what it reaches is noted under its name. */
const file = path.relative(process.cwd(), expect.getState().testPath!)
mkdirSync(process.env.REACHED_FOLDER!, { recursive: true })
process.env.REACHED = path.join(process.env.REACHED_FOLDER!, file.replaceAll('/', '+'))
afterAll(() => {
  delete process.env.REACHED
})
