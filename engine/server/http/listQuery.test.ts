import { describe, expect, it } from 'vitest'
import { listQuery } from './listQuery.ts'

const many = Array.from({ length: 301 }, (_, index) => `field${index}`)
const few = many.slice(1)

describe.each(['sums', 'fields'])('the names of %s', (parameter) => {
  it.each([
    ['as JSON', (names: string[]) => JSON.stringify(names)],
    ['separated by commas', (names: string[]) => names.join(',')],
  ])('are limited %s, each named once', (_, written) => {
    expect(listQuery({ [parameter]: written(few) })).toMatchObject({ [parameter]: few })
    expect(() => listQuery({ [parameter]: written(many) })).toThrow(expect.objectContaining({ code: 'request' }))
    expect(listQuery({ [parameter]: written(['amount', 'fee', 'amount']) })).toMatchObject({
      [parameter]: ['amount', 'fee'],
    })
  })
})
