import { expect, test } from 'vitest'
import { isHint, problemsAt } from './problemsAt.ts'

const message = (cn: string) => ({ cn, en: '' })
const record = {
  errors: [
    { column: 'name', message: message('a') },
    { message: message('b') },
    { column: 'type', message: message('c') },
    { column: 'name', message: message('d') },
  ] as never,
}

test('returns the problems of the column in order, and none without problems or a named field', () => {
  expect(problemsAt(record, { problems: { field: 'errors', column: 'name' } })).toEqual([message('a'), message('d')])
  expect(problemsAt({ errors: null }, { problems: { field: 'errors', column: 'name' } })).toEqual([])
  expect(problemsAt(record, { problems: { field: 'notes', column: 'name' } })).toEqual([])
  expect(problemsAt(record, {})).toEqual([])
})

test('a hint counts only if nothing is wrong', () => {
  const hinted = {
    errors: [
      { column: 'name', code: 'hint', message: message('a') },
      { column: 'type', code: 'hint', message: message('b') },
      { column: 'type', code: 'rule', message: message('c') },
    ] as never,
  }
  expect(isHint(hinted, { problems: { field: 'errors', column: 'name' } })).toBe(true)
  expect(isHint(hinted, { problems: { field: 'errors', column: 'type' } })).toBe(false)
})
