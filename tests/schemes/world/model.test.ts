/** The model reproduces the worked samples, so that the server can be compared with it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from 'decimal.js'
import { describe, expect, test } from 'vitest'
import { vestedPercent } from '../../../src/procedures/welfare/vesting.ts'
import {
  addTo,
  dueOf,
  model,
  noSums,
  vestedIn,
  type Limits,
  type Plan,
  type Sides,
  type Situation,
  type Sums,
} from './model.ts'

interface Month {
  month: string
  startMonth?: string
  declaredBase?: string
  person: Pick<Situation, 'birthDate' | 'entryDate' | 'nationality' | 'workerKind'>
  choices?: Situation['choices']
  entered?: Situation['entered']
  gives: Record<string, [string, string]>
}
interface Samples {
  policy: Record<string, Record<string, string>>
  samples: Month[]
  years?: (Pick<Month, 'person' | 'choices'> & { months: Omit<Month, 'person'>[] })[]
  vesting?: { entryDate: string; leaveDate: string; contributed: string; gives: [string, string] }[]
}

const limitsOf = ({ deferral }: Samples['policy']): Limits => ({
  deferral: {
    compensation: deferral?.baseCeiling ?? '0',
    deferred: deferral?.personalFixed ?? '0',
    catchUp: deferral?.companyFixed ?? '0',
  },
})
const texts = (amounts: Record<string, Sides>) =>
  Object.fromEntries(Object.entries(amounts).map(([key, sides]) => [key, sides.map((side) => side.toFixed(2))]))

const modelled = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.samples.json') && name.split('.')[0] in model,
)
describe.each(modelled)('%s', (name) => {
  const family = name.split('.')[0]
  const read = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Samples
  const given = ({ declaredBase = '0', person, choices = {}, entered = {}, month }: Month): Situation => ({
    ...person,
    month,
    base: declaredBase,
    choices,
    entered,
    limits: limitsOf(read.policy),
    soFar: () => noSums,
  })

  test.each(read.samples.map((sample, index) => ({ ...sample, index })))('sample $index', (sample) => {
    const due = Object.entries(model[family](given(sample))).map(([item, sides]): [string, Sides] => [
      item,
      dueOf(item, sides, sample.month, sample.startMonth ?? '2020-01'),
    ])
    expect(texts(Object.fromEntries(due))).toMatchObject(sample.gives)
  })

  test.each((read.years ?? []).map((year, index) => ({ ...year, index })))('year $index', ({ months, ...common }) => {
    let sums: Record<string, Sums> = {}
    let year = ''
    for (const month of months) {
      if (month.month.slice(0, 4) !== year) sums = {}
      year = month.month.slice(0, 4)
      const situation = { ...given({ ...common, ...month }), soFar: (item: string) => sums[item] ?? noSums }
      const amounts = model[family](situation)
      expect(texts(amounts), month.month).toMatchObject(month.gives)
      for (const [item, sides] of Object.entries(amounts))
        sums[item] = addTo(sums[item] ?? noSums, item, situation, sides)
    }
  })

  test.each(read.vesting ?? [])('vested: $entryDate to $leaveDate', ({ entryDate, leaveDate, contributed, gives }) => {
    const plan = plans[family]
    const percent = vestedPercent(stepsOf(family, plan), entryDate, leaveDate)
    const vested = new Decimal(contributed).times(percent).div(100)
    expect([String(Number(percent)), vested.toFixed(2)]).toEqual(gives)
    expect(String(vestedIn(plan, entryDate, leaveDate))).toBe(gives[0])
  })
})

const plans: Record<string, Plan> = {
  enterpriseannuity: 'annuity',
  retirementplan: 'deferral',
  hongkongvoluntary: 'voluntary',
}
const stepsOf = (family: string, item: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${family}.family.json`), 'utf8')).parameters.items.find(
    ({ key }: { key: string }) => key === item,
  ).vesting
