import { expect, test } from 'vitest'
import { changesIn, json } from './json.ts'

const context = {
  label: { cn: '变更', en: 'Changes' },
  dictionary: () => {
    throw new Error('none')
  },
  now: () => '2026-03-31 08:30:00',
}
const options = { of: 'changes' as const, maxLength: 1000 }
const changes = [
  { field: 'name', label: { cn: '名称', en: 'Name' }, old: '启澜', new: '启澜机械' },
  { field: 'parent', label: { cn: '上级', en: 'Superior' }, old: '', new: '重点' },
]

test('changes read as lines, in both languages, in lists and in sheets', () => {
  expect(json.text(changes, options, context, 'cn')).toBe('名称：启澜 → 启澜机械；上级：– → 重点')
  expect(json.text(changes, options, context, 'en')).toBe('Name: 启澜 → 启澜机械; Superior: – → 重点')
  expect(json.sheet!.write(changes, options, context, 'en')).toBe('Name: 启澜 → 启澜机械\nSuperior: – → 重点')
})

test('only a field of changes contains any', () => {
  expect(changesIn(changes, {})).toBeUndefined()
  expect(changesIn([1, 'two'], options)).toBeUndefined()
  expect([json.changes!(options), json.changes!({ maxLength: 10, of: undefined })]).toEqual([true, false])
})
