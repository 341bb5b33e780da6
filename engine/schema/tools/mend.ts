import { applyFixes } from '../issues/fix.ts'
import type { Issue } from '../issues/issue.ts'
import type { SourceText } from '../reading/SourceFile.ts'

/** What was mended: an issue that is gone, and what was done about it. */
export interface Mended {
  file: string
  line: number
  code: string
  what: string
}
export interface Mending {
  sources: SourceText[]
  mended: Mended[]
  issues: Issue[]
}

/**
 * What is mended shows what was hidden behind it, which may be mended too; a fix that only leads to another one ends
 * here.
 */
const mostRounds = 10

/**
 * Gives every issue its one right answer, as long as there is one: the sources after it, what was done, and the issues
 * that are left.
 */
export function mend(
  given: readonly SourceText[],
  issuesOf: (sources: readonly SourceText[]) => readonly Issue[],
): Mending {
  let sources = [...given]
  let issues = [...issuesOf(sources)]
  const mended: Mended[] = []
  for (let round = 0; round < mostRounds && issues.some(({ fix }) => fix); round++) {
    sources = sources.map((source) => {
      const { text, applied } = applyFixes(
        source.text,
        issues.filter(({ file }) => file === source.path),
      )
      mended.push(...applied.map(({ file, line, code, fix }) => ({ file, line, code, what: fix!.what })))
      return text === source.text ? source : { path: source.path, text }
    })
    issues = [...issuesOf(sources)]
  }
  return { sources, mended, issues }
}
