import { compile } from '../../../engine/schema/compile.ts'
import { markedLabels } from '../../../engine/schema/fix.ts'
import { printIssue, type Issue } from '../../../engine/schema/issue.ts'
import { mend, type Mended } from '../../../engine/schema/mend.ts'
import type { SourceText } from '../../../engine/schema/read.ts'
import { lists } from '../../lists.ts'
import type { Verdict } from './verdicts.ts'

const issuesOf = (sources: readonly SourceText[]) => compile(sources, lists).issues

/** What is wrong with these files, as it is printed. */
export function checkFiles(sources: readonly SourceText[], json: boolean): Verdict {
  const issues = issuesOf(sources)
  return {
    text: json ? JSON.stringify({ issues: issues.map(brief) }, null, 2) : printed(issues, [], sources),
    issues: issues.length,
  }
}

/** The same, after what has one right answer was mended. */
export function mendFiles(given: readonly SourceText[], json: boolean): Verdict & { sources: SourceText[] } {
  const { sources, mended, issues } = mend(given, issuesOf)
  return {
    sources,
    text: json ? JSON.stringify({ issues: issues.map(brief), mended }, null, 2) : printed(issues, mended, sources),
    issues: issues.length,
  }
}

const brief = ({ code, file, line, column, message, suggestion, fix }: Issue) => ({
  code,
  file,
  line,
  column,
  message,
  ...(suggestion !== undefined && { suggestion }),
  ...(fix && { fix }),
})

function printed(issues: readonly Issue[], mended: readonly Mended[], sources: readonly SourceText[]): string {
  const fixable = issues.filter(({ fix }) => fix).length
  const marked = sources.reduce((sum, { text }) => sum + markedLabels(text), 0)
  const summary = [
    `${sources.length} files`,
    ...(mended.length ? [`${mended.length} mended`] : []),
    issues.length
      ? `${issues.length} issue${issues.length > 1 ? 's' : ''}${fixable ? ` (${fixable} can be mended by --fix)` : ''}`
      : 'no issue',
    ...(marked ? [`${marked} label${marked > 1 ? 's' : ''} marked "[…?] " for translation`] : []),
  ].join(', ')
  return [
    ...(mended.length
      ? [mended.map(({ file, line, code, what }) => `${file}:${line}  ${code}  ${what}`).join('\n')]
      : []),
    ...issues.map(printIssue),
    summary,
  ].join('\n\n')
}
