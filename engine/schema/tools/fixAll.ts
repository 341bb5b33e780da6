import { applyFixes } from '../issues/fix.ts'
import type { Issue } from '../issues/issue.ts'
import type { SourceText } from '../reading/SourceFile.ts'

/** A fixed issue, and its fix. */
export interface Fixed {
  file: string
  line: number
  code: string
  what: string
}
export interface Fixing {
  sources: SourceText[]
  fixed: Fixed[]
  issues: Issue[]
}

/** A fix may uncover an issue that can be fixed too; this limit ends a cycle of fixes. */
const mostRounds = 10

/** Fixes every issue that has one right answer. @returns the resulting sources, the fixes, and the remaining issues. */
export function fixAll(
  given: readonly SourceText[],
  issuesOf: (sources: readonly SourceText[]) => readonly Issue[],
): Fixing {
  let sources = [...given]
  let issues = [...issuesOf(sources)]
  const fixed: Fixed[] = []
  for (let round = 0; round < mostRounds && issues.some(({ fix }) => fix); round++) {
    sources = sources.map((source) => {
      const { text, applied } = applyFixes(
        source.text,
        issues.filter(({ file }) => file === source.path),
      )
      fixed.push(...applied.map(({ file, line, code, fix }) => ({ file, line, code, what: fix!.what })))
      return text === source.text ? source : { path: source.path, text }
    })
    issues = [...issuesOf(sources)]
  }
  return { sources, fixed, issues }
}
