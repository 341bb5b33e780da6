/** The procedures of policies. */
export { enablePolicy } from './enablePolicy.ts'
export { foreseePolicy } from './foreseePolicy.ts'
export { revisePolicy } from './revisePolicy.ts'
export { suggestPolicy } from './suggestPolicy.ts'
