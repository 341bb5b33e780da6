/** Reads the checklist `specification.md` and the names of the tests that it refers to. */
import ts from 'typescript'
import { readSource } from './words.ts'

export interface Entry {
  section: number
  /** The number of sentences in the section. */
  count: number
  sentences: number[]
  kind: 'test' | 'at' | 'nothing' | 'open'
  /** Empty where there is no test. */
  file: string
  /** `describe › test` as in the source, with `%s` where a table fills it in. */
  name: string
  /** Addresses, in which `*` stands for anything. */
  at: string[]
}

const kinds = { 'nothing to test': 'nothing', 'no test yet': 'open' } as const

/**
 * Parses `- 7.4, 7.6–7.8 \`file\` › name`, `at` with addresses, or one of the phrases above, each with an optional
 * reason after a colon.
 * @throws Error on any other line
 */
export function entriesOf(text: string): Entry[] {
  let section = 0
  let count = 0
  return text.split('\n').flatMap((line): Entry[] => {
    const heading = /^## (\d) · (\d+) sentences/.exec(line)
    if (heading) [section, count] = [Number(heading[1]), Number(heading[2])]
    if (!line.startsWith('- ')) return []
    const [, numbers, rest] = /^- ([\d., –]+) (.+)$/.exec(line) ?? []
    const [, file = '', name = ''] = /^`([^`]+)` › (.+)$/.exec(rest ?? '') ?? []
    const phrase = (Object.keys(kinds) as (keyof typeof kinds)[]).find(
      (each) => rest === each || rest?.startsWith(`${each}: `),
    )
    const at = rest?.startsWith('at /') ? rest.slice(3).split(', ') : []
    if (!rest || (!file && !phrase && at.length === 0)) throw new Error(`No entry: ${line}`)
    const sentences = numbers.split(', ').flatMap((range) => numbersOf(range, section))
    const kind = phrase ? kinds[phrase] : file ? 'test' : 'at'
    return [{ section, count, sentences, kind, file, name, at }]
  })
}

function numbersOf(range: string, section: number): number[] {
  const [from, to = from] = range.split('–').map((each) => each.trim().split('.').map(Number))
  if (from[0] !== section || to[0] !== section || !(from[1] <= to[1]))
    throw new Error(`No sentence of section ${section}: ${range}`)
  return Array.from({ length: to[1] - from[1] + 1 }, (_, index) => from[1] + index)
}

/** The names of a file's tests, each after the titles of its describe blocks. */
export function testsIn(file: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, around: string[]) => {
    const inside = ts.isCallExpression(node) ? named(node) : undefined
    if (inside?.kind === 'test') found.push([...around, inside.name].join(' › '))
    ts.forEachChild(node, (child) => visit(child, inside?.kind === 'describe' ? [...around, inside.name] : around))
  }
  visit(readSource(file, text), [])
  return found
}

/** Recognises `test('…')` and `it.each<…>(…)('…')`. */
function named({
  expression,
  arguments: [first],
}: ts.CallExpression): { kind: 'describe' | 'test'; name: string } | undefined {
  if (!first || !ts.isStringLiteralLike(first)) return undefined
  const [, callee] = /^(describe|test|it)\b/.exec(expression.getText()) ?? []
  return callee ? { kind: callee === 'describe' ? 'describe' : 'test', name: first.text } : undefined
}
