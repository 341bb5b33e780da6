import type { Catalog } from '../../model/model.ts'
import type { Lists } from '../compile.ts'
import type { SourceText } from '../reading/SourceFile.ts'

/** What questions about new files are asked about: the files as they are, in order. */
export interface Ground {
  catalog: Catalog
  sources: readonly SourceText[]
  lists: Lists
}
