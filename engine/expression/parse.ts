import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import type { Label } from '../model/model.ts'
import { ExpressionError, fault as located, type ExpressionFault } from './fault.ts'

export interface ParsedExpression {
  text: string
  root: ASTNode
}

/** Far above what anyone writes, far below what could exhaust the stack. */
const grammar = new Environment({
  limits: { maxAstNodes: 2000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 200, maxCallArguments: 8 },
})
const parsed = new Map<string, ParsedExpression>()

/** The syntax tree, parsed once per text. Throws `ExpressionError` with the fault `expression-syntax`. */
export function parseExpression(text: string): ParsedExpression {
  let expression = parsed.get(text)
  if (expression) return expression
  try {
    expression = { text, root: grammar.parse(text).ast }
  } catch (error) {
    throw error instanceof ParseError ? new ExpressionError(syntaxFault(text, error)) : error
  }
  if (parsed.size > 20_000) parsed.clear()
  parsed.set(text, expression)
  return expression
}

/** Whether this text may name a variable: ASCII letters, digits and underscores, and none of the grammar's keywords. */
export function isName(text: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text)) return false
  try {
    return parseExpression(text).root.op === 'id'
  } catch {
    return false
  }
}

/** Common mistakes → the correct syntax. */
const meant: Record<string, string> = {
  '=': '==',
  '&': '&&',
  '|': '||',
  and: '&&',
  or: '||',
  not: '!',
  is: '==',
  '（': '(',
  '）': ')',
  '，': ',',
  '：': ':',
  '？': '?',
  '！': '!',
  '＝': '==',
  '＞': '>',
  '＜': '<',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '×': '*',
  '÷': '/',
  '`': "'",
}
const tokens: Record<string, string> = { RPAREN: ')', RBRACKET: ']', RBRACE: '}', COLON: ':' }

/** Operators that other languages write as a word, a comma or a percent sign. */
function otherWay(text: string, start: number, found: string): Label | undefined {
  const before = text.slice(0, start).trimEnd()
  const instead = (word: string, right: string): Label => ({
    cn: `此处不能写“${word}”，应写“${right}”`,
    en: `"${word}" is not allowed here: write ${right.length < 3 ? `"${right}"` : right}`,
  })
  const [, percent] = /([\d.]+)\s*%$/.exec(before) ?? []
  if (percent !== undefined) {
    const share = String(Number((Number(percent) / 100).toFixed(6)))
    return {
      cn: `“%”是取余，${percent}%应写作${share}`,
      en: `"%" is the remainder of a division: write ${share} for ${percent}%`,
    }
  }
  if (found === ',' && /\d$/.test(text.slice(0, start)) && /^\d/.test(text.slice(start + 1))) return instead(',', '.')
  if (/(^|[^\w.])not$/i.test(before)) return instead('not', '!')
  const subject = /[\w.]+$/.exec(before)?.[0]
  if (subject === undefined) return undefined
  if (/^between$/i.test(found)) return instead(found, `${subject} >= … && ${subject} <= …`)
  return /^like$/i.test(found) ? instead(found, `${subject}.contains('…')`) : undefined
}

function syntaxFault(text: string, error: ParseError): ExpressionFault {
  const { start = text.length, end = text.length } = error.range ?? {}
  // The parser counts UTF-16 units: a surrogate pair is shown whole.
  const found = text.slice(start, end - start === 1 && text.codePointAt(start)! > 0xffff ? end + 1 : end)
  const fault = (message: Label, suggestion?: string) =>
    located(
      'expression-syntax',
      { start, end: start + found.length },
      found,
      suggestion ? [suggestion] : [],
      message,
      suggestion,
    )
  switch (error.code) {
    case 'unexpected_character':
    case 'unexpected_token':
    case 'expected_token': {
      const wanted = tokens[/^Expected (\w+)/.exec(error.summary)?.[1] ?? '']
      const right = Object.hasOwn(meant, found) ? meant[found] : undefined
      if (right)
        return fault(
          { cn: `此处不能写“${found}”，应写“${right}”`, en: `"${found}" is not allowed here: write "${right}"` },
          right,
        )
      if (wanted) return fault({ cn: `缺少“${wanted}”`, en: `"${wanted}" is missing` }, wanted)
      const hint = otherWay(text, start, found)
      if (hint) return fault(hint)
      if (!found) return fault({ cn: '表达式不完整', en: 'The expression is incomplete' })
      if (found > '\u007f') {
        return fault({
          cn: `名称只能由字母、数字和下划线组成，“${found}”等文字应写在引号内`,
          en: `"${found}" cannot be part of a name: write texts in quotes`,
        })
      }
      return fault({ cn: `此处不能写“${found}”`, en: `"${found}" is not allowed here` })
    }
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
    case 'newline_in_string':
      return fault({ cn: '文本缺少右引号', en: 'The closing quote of the text is missing' })
    case 'invalid_number':
    case 'invalid_integer':
    case 'invalid_hex_integer':
    case 'invalid_exponent':
      return fault({ cn: '数字写法不正确', en: 'Malformed number' })
    case 'reserved_identifier':
      return fault({
        cn: `“${found}”是保留字，不能作为名称${found === 'if' ? '，应写“条件 ? 甲 : 乙”' : ''}`,
        en: `"${found}" is a reserved word and cannot be a name${found === 'if' ? ': write condition ? this : that' : ''}`,
      })
    case 'invalid_macro_argument':
      return fault({ cn: '第一个参数应为每一项的名称', en: 'The first argument must be a name for each item' })
    case 'limit_exceeded':
      return fault({ cn: '表达式过长或嵌套过深', en: 'The expression is too long or too deeply nested' })
    default:
      return fault({ cn: '文本中的转义符不正确', en: 'Malformed escape sequence in the text' })
  }
}

/** The syntax tree of a text; undefined if it does not parse. */
export function rootOf(text: string): ASTNode | undefined {
  try {
    return parseExpression(text).root
  } catch {
    return undefined
  }
}
