import { describe, expect, test } from 'vitest'
import {
  checkExpression,
  dependencies,
  evaluateCondition,
  evaluateFormula,
  relational,
  settingTypes,
  type Scope,
  type VariableTypes,
} from './index.ts'

const types: VariableTypes = {
  end: 'string',
  days: 'decimal',
  [settingTypes]: { parameter: { days: 'decimal', label: 'string', wages: [{ city: 'string', amount: 'decimal' }] } },
}
const scope: Scope = {
  record: { end: '2026-03-20', days: 3 },
  now: '2026-03-15 08:00:00',
  settings: { parameter: { days: '10', wages: [{ city: 'a', amount: '2740.10' }] } },
}

describe('settings', () => {
  test("are read by entity and field, as exact as the record's own values", () => {
    expect(evaluateFormula('settings.parameter.days + 0.1', scope, types)).toBe('10.1')
    expect(evaluateCondition('end <= addDays(today(), settings.parameter.days)', scope, types)).toBe(true)
    expect(
      evaluateCondition('settings.parameter.wages.exists(w, w.city == "a" && w.amount > 2740)', scope, types),
    ).toBe(true)
  })

  test('are missing if they are not set or not loaded', () => {
    expect(evaluateFormula('coalesce(settings.parameter.label, "none")', scope, types)).toBe('none')
    expect(evaluateCondition('settings.parameter.days > 1', { ...scope, settings: undefined }, types)).toBe(false)
  })

  test('are checked by name and by type', () => {
    expect(checkExpression('settings.parameter.days > 1', types, 'boolean')).toEqual([])
    expect(checkExpression('settings.parameter.day > 1', types)).toMatchObject([
      { code: 'unknown-name', found: 'day', suggestion: 'days' },
    ])
    expect(checkExpression('settings.parametre.days > 1', types)).toMatchObject([
      { code: 'unknown-name', suggestion: 'parameter' },
    ])
    expect(checkExpression('settings.parameter.days == "x"', types)).toMatchObject([{ code: 'wrong-type' }])
  })

  test('are separate dependencies of an expression', () => {
    expect(dependencies('settings.parameter.days > days && old.end == settings["parameter"].label')).toEqual([
      'settings.parameter.days',
      'days',
      'old.end',
      'settings.parameter.label',
    ])
    expect(dependencies('settings.parameter.wages.map(w, w.amount)')).toEqual(['settings.parameter.wages'])
  })

  test('are constants to a database, unless a field of the record has that name', () => {
    expect(relational('end <= addDays(today(), settings.parameter.days)', types)).toMatchObject({
      kind: 'operator',
      right: { kind: 'constant' },
    })
    const [shadowed] = [{ ...types, settings: { parameter: { days: 'decimal' } } } as VariableTypes]
    expect(relational('days < settings.parameter.days', shadowed)).toBeUndefined()
  })
})
