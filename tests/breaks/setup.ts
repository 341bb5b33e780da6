import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import type { State } from './broken.ts'

/** Runs before each test file of the woven copy; the breaks that the file reaches are noted under its name. */
const file = path.relative(process.cwd(), expect.getState().testPath!)
const reached = path.join(path.dirname(process.env.BREAKS_STATE!), 'reached', file.replaceAll('/', '+'))
const state = JSON.parse(readFileSync(process.env.BREAKS_STATE!, 'utf8')) as State
process.env.REACHED = reached
process.env.BREAK = String(state.broken)
if (file.startsWith('tests/journeys/')) writeFileSync(process.env.BREAKS_STATE!, JSON.stringify({ ...state, reached }))
afterAll(() => {
  delete process.env.REACHED
})
