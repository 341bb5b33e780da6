import { inject } from 'vitest'
import { isLong } from './long.ts'

/** Whether this is the other database, where the short form leaves out tests that query it in no way of their own. */
export const isRepeated = (): boolean => inject('testDatabase').url !== undefined && !isLong
