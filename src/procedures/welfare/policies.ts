/** What can be done with policies that JSON cannot say. */
export { enablePolicy } from './enablePolicy.ts'
export { foreseePolicy } from './foreseePolicy.ts'
export { revisePolicy } from './revisePolicy.ts'
export { suggestPolicy } from './suggestPolicy.ts'
