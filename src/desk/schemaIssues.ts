import { create } from 'zustand'
import type { SchemaIssue } from '../../engine/model/model.ts'

/** Why the current schema files are not shown: their issues, or a message if the cause is not in a file. */
export interface SchemaRefusal {
  issues: SchemaIssue[]
  message: string
}

export const useSchemaRefusal = create<{
  refusal: SchemaRefusal | undefined
  show(refusal: SchemaRefusal | undefined): void
}>()((set) => ({
  refusal: undefined,
  show: (refusal) =>
    set({ refusal: refusal && (refusal.issues.length > 0 || refusal.message !== '') ? refusal : undefined }),
}))
