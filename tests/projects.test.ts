import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onOtherDatabase } from './projects.ts'

test('the test files for the second database exist', () => {
  expect(onOtherDatabase.filter((file) => !existsSync(file))).toEqual([])
})
