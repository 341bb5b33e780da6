import { getLocation } from 'jsonc-parser'
import type { Issue } from '../issues/issue.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import type { Question } from './Question.ts'

/**
 * The question whose answer an issue of the written file points at, or the first of those that an object was made from;
 * undefined if it points at nothing that was prompted for.
 */
export function refusedAnswer(
  { line, column }: Issue,
  { text }: SourceText,
  questions: readonly Question[],
): Question | undefined {
  const before = text.split('\n').slice(0, line - 1)
  const offset = before.reduce((sum, each) => sum + each.length + 1, column)
  const [top, ...path] = getLocation(text, offset).path.filter((key) => typeof key === 'string' && key !== '')
  if (top !== 'parameters') return undefined
  const name = ['parameter', ...path].join('-')
  return (
    questions.find((question) => question.name === name) ??
    questions.find((question) => path.length > 0 && question.name.startsWith(`${name}-`))
  )
}
