import type { FirstReads } from '../client/prefetchFirstScreen.ts'
import { firstListReads } from './list/listRead.ts'

/** Screen kind → what it requests first, so that the requests need not wait for its view. */
export const firstReads: FirstReads = { list: firstListReads, imports: firstListReads }
