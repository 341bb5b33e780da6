import { inject } from 'vitest'
import { isLong } from './long.ts'

/** Whether this is the other database, where the short form leaves out tests whose queries others already send. */
export const isRepeated = (): boolean => inject('testDatabase').url !== undefined && !isLong
