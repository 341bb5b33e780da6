import { expect, test } from 'vitest'
import type { ActionPlan } from '../../model/model.ts'
import { rowOffer } from './rowOffer.ts'

const plans = (...names: string[]) => names.map((name) => ({ name }) as ActionPlan)
const told = (names: string[], refused: string[] = [], openers: string[] = []) => {
  const { seen, more } = rowOffer(plans(...names), {
    granted: ({ name }) => !refused.includes(name),
    opens: ({ name }) => openers.includes(name),
  })
  return `${seen.map(({ name }) => name).join()} | ${more.map(({ name }) => name).join()}`
}

test('a row shows its next action and a menu, and two actions as they are', () => {
  expect(told(['edit'])).toBe('edit | ')
  expect(told(['edit', 'delete'])).toBe('edit,delete | ')
  expect(told(['review', 'edit', 'delete'])).toBe('review | edit,delete')
})

test('next is what the user may do and the row does not do anyway', () => {
  expect(told(['detail', 'edit', 'delete'], [], ['detail'])).toBe('edit | detail,delete')
  expect(told(['review', 'edit', 'delete'], ['review'])).toBe('edit | review,delete')
  expect(told(['detail', 'review', 'pay'], ['review', 'pay'], ['detail'])).toBe('review | detail,pay')
  expect(told(['a', 'b', 'c'], [], ['a', 'b', 'c'])).toBe('a | b,c')
})

test('where there is room for one, several are in the menu', () => {
  const offered = (...names: string[]) => rowOffer(plans(...names), { granted: () => true, tight: true })
  expect(offered('edit')).toEqual({ seen: plans('edit'), more: [] })
  expect(offered('edit', 'delete')).toEqual({ seen: [], more: plans('edit', 'delete') })
})

test('what the screen calls primary is next, where the user may', () => {
  const [rows, write, cancel] = plans('rows', 'write', 'cancel')
  const seen = (granted: boolean) =>
    rowOffer([{ ...rows, primary: true }, write, cancel], {
      granted: ({ name }) => granted || name !== 'rows',
      opens: ({ name }) => name === 'rows',
    }).seen.map(({ name }) => name)
  expect([seen(true), seen(false)]).toEqual([['rows'], ['write']])
})
