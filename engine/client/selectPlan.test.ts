import { expect, it } from 'vitest'
import type { ScreenPlan } from '../model/model.ts'
import { selectPlan } from './selectPlan.ts'

const plan = (name: string, more: Partial<ScreenPlan> = {}) =>
  ({ name, parameters: [], ...more }) as unknown as ScreenPlan
const varied = (required: boolean) =>
  plan('own', {
    parameters: [{ name: 'type', required }],
    variants: { parameter: 'type', plans: { a: plan('a'), b: plan('b') } },
  })

it('the parameter selects the variant', () => {
  expect(selectPlan(varied(true), { type: 'b' })).toMatchObject({ plan: { name: 'b' } })
  expect(selectPlan(varied(false), { type: 'a' })).toMatchObject({ plan: { name: 'a' } })
  expect(selectPlan(varied(false), { type: 'c' })).toEqual({ problem: 'parameterUnknown', value: 'c' })
})

it('without an optional parameter the screen is as its file declares', () => {
  expect(selectPlan(varied(false), {})).toMatchObject({ plan: { name: 'own' } })
  expect(selectPlan(varied(true), {})).toEqual({ problem: 'parameterMissing' })
})
