import { describe, expect, it } from 'vitest'
import { errors, fill, problems } from './errors.ts'

describe('the catalogue of refusals', () => {
  const labels = [
    ...Object.values(errors).map(({ message }) => message),
    ...Object.values(problems).flatMap((problem): { cn: string; en: string }[] =>
      'cn' in problem ? [problem] : Object.values(problem),
    ),
  ]

  it('speaks both languages, with the same parameters', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    for (const { cn, en } of labels) {
      expect(cn).toMatch(/\p{Script=Han}/u)
      expect(en).not.toMatch(/\p{Script=Han}/u)
      expect(names(cn)).toEqual(names(en))
    }
  })

  it('fills in its parameters', () => {
    expect(fill(problems.unique, { label: { cn: '名称', en: 'Name' } })).toEqual({
      cn: '名称已存在',
      en: 'Name already exists',
    })
  })
})
