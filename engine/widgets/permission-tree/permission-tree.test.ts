import { describe, expect, test } from 'vitest'
import { examples } from './permission-tree.examples.ts'
import { grantedBy, keepTicked } from './permission-tree.ts'

const { choices } = examples.dictionaries!.permissions
const granted = (value: string[]) => grantedBy(value, choices).map((choice) => choice.value)

describe('what is kept of what is ticked', () => {
  test('patterns stay while all that they grant is ticked', () => {
    expect(keepTicked(['customer:*:*'], new Set(granted(['customer:*:*'])), choices)).toEqual(['customer:*:*'])
    expect(
      keepTicked(
        ['customer:*:view', 'customer:customer:add'],
        new Set(granted(['customer:*:view', 'customer:customer:*'])),
        choices,
      ),
    ).toEqual(['customer:*:view', 'customer:customer:add', 'customer:customer:edit'])
  })

  test('one that is unticked leaves the others by name', () => {
    const rest = granted(['customer:*:*']).filter((value) => value !== 'customer:customer:edit')
    expect(keepTicked(['customer:*:*'], new Set(rest), choices)).toEqual(rest)
  })

  test('nothing is nothing', () => expect(keepTicked(['customer:*:*'], new Set(), choices)).toBeNull())
})
