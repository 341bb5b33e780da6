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

test('those of its column, in their order; none where the field is empty or no field is named', () => {
  expect(problemsAt(record, { problems: { field: 'errors', column: 'name' } })).toEqual([message('a'), message('d')])
  expect(problemsAt({ errors: null }, { problems: { field: 'errors', column: 'name' } })).toEqual([])
  expect(problemsAt(record, { problems: { field: 'notes', column: 'name' } })).toEqual([])
  expect(problemsAt(record, {})).toEqual([])
})

test('a hint is where nothing is wrong', () => {
  const told = {
    errors: [
      { column: 'name', code: 'hint', message: message('a') },
      { column: 'type', code: 'hint', message: message('b') },
      { column: 'type', code: 'rule', message: message('c') },
    ] as never,
  }
  expect(isHint(told, { problems: { field: 'errors', column: 'name' } })).toBe(true)
  expect(isHint(told, { problems: { field: 'errors', column: 'type' } })).toBe(false)
})
