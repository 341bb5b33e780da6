import { expect, test } from 'vitest'
import { expandOnce } from './expandOnce.ts'

test('a template is expanded for each value of a parameter, also of one that follows a line break', () => {
  const template = { label: '${rank > 1 ? name :\nkey}' }
  const labelOf = (key: string) => expandOnce(template, { rank: 1, name: 'n', key }, 'owner').value
  expect([labelOf('a'), labelOf('b'), labelOf('a')]).toEqual([{ label: 'a' }, { label: 'b' }, { label: 'a' }])
})

test('a parameter that a template does not name changes nothing', () => {
  const template = { label: '${key}' }
  const made = (rank: number) => expandOnce(template, { rank, key: 'a' }, 'owner')
  expect(made(1)).toBe(made(2))
})
