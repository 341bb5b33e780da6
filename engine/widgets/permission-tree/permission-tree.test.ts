import { describe, expect, test } from 'vitest'
import { examples } from './permission-tree.examples.ts'
import { grantedBy, keepTicked } from './permission-tree.ts'

const { choices } = examples.dictionaries!.permissions
const granted = (value: string[]) => grantedBy(value, choices).map((choice) => choice.value)

describe('the stored patterns', () => {
  test('stay while everything that they grant is ticked', () => {
    expect(keepTicked(['customer:*:*'], new Set(granted(['customer:*:*'])), choices)).toEqual(['customer:*:*'])
    expect(
      keepTicked(
        ['customer:*:view', 'customer:customer:add'],
        new Set(granted(['customer:*:view', 'customer:customer:*'])),
        choices,
      ),
    ).toEqual(['customer:*:view', 'customer:customer:add', 'customer:customer:edit'])
  })

  test('leave the other permissions by name once one is unticked', () => {
    const rest = granted(['customer:*:*']).filter((value) => value !== 'customer:customer:edit')
    expect(keepTicked(['customer:*:*'], new Set(rest), choices)).toEqual(rest)
  })

  test('are empty if nothing is ticked', () => expect(keepTicked(['customer:*:*'], new Set(), choices)).toBeNull())
})
