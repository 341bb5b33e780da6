import { compile, compileWithWarnings } from '../../../engine/schema/compile.ts'
import { markedLabels } from '../../../engine/schema/issues/fix.ts'
import { printIssue, type Issue } from '../../../engine/schema/issues/issue.ts'
import { fixAll, type Fixed } from '../../../engine/schema/tools/fixAll.ts'
import { lists } from '../../lists.ts'
import type { Verdict } from './verdicts.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

/** The issues and warnings of these files, as printed. */
export function checkFiles(sources: readonly SourceText[], json: boolean): Verdict {
  const found = compileWithWarnings(sources, lists)
  return {
    text: json ? JSON.stringify(inBrief(found), null, 2) : printed(found, [], sources),
    ...counted(found),
  }
}

/** The same, after every issue with one right answer is fixed. */
export function fixFiles(given: readonly SourceText[], json: boolean): Verdict & { sources: SourceText[] } {
  const { sources, fixed } = fixAll(given, (all) => compile(all, { ...lists, fillsLanguages: true }).issues)
  const found = compileWithWarnings(sources, lists)
  return {
    sources,
    text: json ? JSON.stringify({ ...inBrief(found), mended: fixed }, null, 2) : printed(found, fixed, sources),
    ...counted(found),
  }
}

type Found = Pick<ReturnType<typeof compileWithWarnings>, 'issues' | 'warnings'>

const counted = ({ issues, warnings }: Found) => ({ issues: issues.length, warnings: warnings.length })

const inBrief = ({ issues, warnings }: Found) => ({ issues: issues.map(brief), warnings: warnings.map(brief) })

const brief = ({ code, file, line, column, message, suggestion, fix, place }: Issue) => ({
  code,
  file,
  line,
  column,
  message,
  ...(suggestion !== undefined && { suggestion }),
  ...(place !== undefined && { place }),
  ...(fix && { fix }),
})

function printed({ issues, warnings }: Found, fixed: readonly Fixed[], sources: readonly SourceText[]): string {
  const fixable = issues.filter(({ fix }) => fix).length
  const marked = sources.reduce((sum, { text }) => sum + markedLabels(text), 0)
  const several = (count: number, word: string) => `${count} ${word}${count > 1 ? 's' : ''}`
  const summary = [
    `${sources.length} files`,
    ...(fixed.length ? [`${fixed.length} mended`] : []),
    issues.length
      ? `${several(issues.length, 'issue')}${fixable ? ` (${fixable} can be mended by --fix)` : ''}`
      : 'no issue',
    ...(warnings.length ? [several(warnings.length, 'warning')] : []),
    // What concerns all files together is only known of files in order.
    ...(issues.length ? ['more may appear once these are mended'] : []),
    ...(marked ? [`${several(marked, 'label')} marked "[…?] " for translation`] : []),
  ].join(', ')
  return [
    ...(fixed.length
      ? [fixed.map(({ file, line, code, what }) => `${file}:${line}  ${code}  ${what}`).join('\n')]
      : []),
    ...[...issues, ...warnings].map(printIssue),
    summary,
  ].join('\n\n')
}
