import type { Catalog } from '../../model/model.ts'
import type { Lists } from '../compile.ts'
import type { SourceText } from '../reading/SourceFile.ts'

/** The existing files that questions about new files refer to, in order. */
export interface ExistingFiles {
  catalog: Catalog
  sources: readonly SourceText[]
  lists: Lists
}
