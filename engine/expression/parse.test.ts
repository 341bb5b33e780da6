import { describe, expect, it } from 'vitest'
import { ExpressionError, isName, parseExpression } from './index.ts'

const faultOf = (text: string) => {
  try {
    parseExpression(text)
  } catch (error) {
    if (error instanceof ExpressionError) return error.fault
    throw error
  }
  throw new Error(`"${text}" parses`)
}

describe('parseExpression', () => {
  it('parses a text once', () => {
    expect(parseExpression('a > 1')).toBe(parseExpression('a > 1'))
  })

  it.each([
    ['', 0, 0, 'The expression is incomplete', undefined],
    ['a &&', 4, 4, 'The expression is incomplete', undefined],
    ['a = 1', 2, 3, '"=" is not allowed here: write "=="', '=='],
    ['a and b', 2, 5, '"and" is not allowed here: write "&&"', '&&'],
    ['（a', 0, 1, '"（" is not allowed here: write "("', '('],
    ['(a + b', 6, 6, '")" is missing', ')'],
    ['a ? b', 5, 5, '":" is missing', ':'],
    ['金额 > 1', 0, 1, '"金" cannot be part of a name: write texts in quotes', undefined],
    ['😀', 0, 2, '"😀" cannot be part of a name: write texts in quotes', undefined],
    ['a constructor', 2, 13, '"constructor" is not allowed here', undefined],
    ["'abc", 0, 4, 'The closing quote of the text is missing', undefined],
    ["'\\q'", 1, 3, 'Malformed escape sequence in the text', undefined],
    ['1e+', 3, 3, 'Malformed number', undefined],
    ['import > 1', 0, 6, '"import" is a reserved word and cannot be a name', undefined],
    ['a.exists(1, true)', 9, 10, 'The first argument must be a name for each item', undefined],
    ['('.repeat(200), 100, 100, 'The expression is too long or too deeply nested', undefined],
  ])('reports the fault in %j and its position', (text, start, end, message, suggestion) => {
    const fault = faultOf(text)
    expect(fault).toMatchObject({ code: 'expression-syntax', start, end })
    expect(fault.message.en).toBe(message)
    expect(fault.message.cn).toMatch(/[一-龥]/)
    expect(fault.suggestion).toBe(suggestion)
  })
})

it('isName accepts only valid names', () => {
  expect(['name', '_a1', 'periodEnd'].map(isName)).toEqual([true, true, true])
  expect(['', '1a', 'a-b', 'a b', '金额', 'in', 'true', 'null', 'package'].filter(isName)).toEqual([])
})
