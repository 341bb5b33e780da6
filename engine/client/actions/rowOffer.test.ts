import { expect, test } from 'vitest'
import type { ActionPlan } from '../../model/model.ts'
import { rowOffer } from './rowOffer.ts'

const plans = (...names: string[]) => names.map((name) => ({ name }) as ActionPlan)
const offered = (names: string[], refused: string[] = [], openers: string[] = []) => {
  const { seen, more } = rowOffer(plans(...names), {
    granted: ({ name }) => !refused.includes(name),
    opens: ({ name }) => openers.includes(name),
  })
  return `${seen.map(({ name }) => name).join()} | ${more.map(({ name }) => name).join()}`
}

test('a row shows its next action and a menu, or two actions as they are', () => {
  expect(offered(['edit'])).toBe('edit | ')
  expect(offered(['edit', 'delete'])).toBe('edit,delete | ')
  expect(offered(['review', 'edit', 'delete'])).toBe('review | edit,delete')
})

test('the next action is permitted, and not what opening the row does', () => {
  expect(offered(['detail', 'edit', 'delete'], [], ['detail'])).toBe('edit | detail,delete')
  expect(offered(['review', 'edit', 'delete'], ['review'])).toBe('edit | review,delete')
  expect(offered(['detail', 'review', 'pay'], ['review', 'pay'], ['detail'])).toBe('review | detail,pay')
  expect(offered(['a', 'b', 'c'], [], ['a', 'b', 'c'])).toBe('a | b,c')
})

test('a narrow row has several actions in a menu', () => {
  const offered = (...names: string[]) => rowOffer(plans(...names), { granted: () => true, tight: true })
  expect(offered('edit')).toEqual({ seen: plans('edit'), more: [] })
  expect(offered('edit', 'delete')).toEqual({ seen: [], more: plans('edit', 'delete') })
})

test("the screen's primary action is next if the user may perform it", () => {
  const [rows, write, cancel] = plans('rows', 'write', 'cancel')
  const seen = (granted: boolean) =>
    rowOffer([{ ...rows, primary: true }, write, cancel], {
      granted: ({ name }) => granted || name !== 'rows',
      opens: ({ name }) => name === 'rows',
    }).seen.map(({ name }) => name)
  expect([seen(true), seen(false)]).toEqual([['rows'], ['write']])
})
