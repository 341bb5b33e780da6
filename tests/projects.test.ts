import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onOtherDatabase } from './projects.ts'

test('what runs on the second database is where it is said to be', () => {
  expect(onOtherDatabase.filter((file) => !existsSync(file))).toEqual([])
})
