import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import type { Family } from './handling/family.ts'
import { trialOf } from './trial.ts'

const family = (key: string): Family => {
  const { parameters } = JSON.parse(readFileSync(`schemas/welfare/${key}.family.json`, 'utf8')) as {
    parameters: Family
  }
  const items = parameters.items.map((item) => ({
    ...item,
    rateModes: item.rateModes ?? ['policy'],
    hasCompany: item.hasCompany ?? true,
    hasPersonal: item.hasPersonal ?? true,
    sameRate: item.sameRate ?? false,
  }))
  return { ...parameters, currency: 'CNY', items }
}
const row = (item: string, companyRate: string, personalRate: string, more: RecordData = {}): RecordData => ({
  item,
  enabled: true,
  baseFloor: '6821',
  baseCeiling: '35283',
  baseRound: 'halfUp0',
  amountMode: 'rate',
  rateMode: 'policy',
  companyRate,
  personalRate,
  companyFixed: null,
  personalFixed: null,
  companyRound: 'halfUp2',
  personalRound: 'halfUp2',
  tiers: [],
  ...more,
})

test('computes a base below the floor, Beijing', () => {
  const policy: RecordData = {
    socialsecurityItems: [
      row('pension', '16', '8'),
      row('unemployment', '0.5', '0.5'),
      row('workInjury', '0.4', '0'),
      row('maternity', '0.8', '0', { enabled: false }),
    ] as Value,
  }
  expect(
    trialOf([family('socialsecurity')], policy, '5000').map(({ item, base, company, personal }) => [
      item,
      base,
      company,
      personal,
    ]),
  ).toEqual([
    ['pension', '6821.00', '1091.36', '545.68'],
    ['unemployment', '6821.00', '34.11', '34.11'],
    ['workInjury', '6821.00', '27.28', '0.00'],
  ])
})

test('uses the rate of the enabled account, and includes optional items', () => {
  const policy: RecordData = {
    socialsecurityItems: [row('workInjury', '0.4', '0'), row('maternity', '0.8', '0')] as Value,
    socialsecurityAccounts: [
      { status: 'disabled', rates: [{ item: 'workInjury', companyRate: '1.9' }] },
      { status: 'enabled', rates: [{ item: 'workInjury', companyRate: '0.2' }] },
    ] as Value,
  }
  expect(trialOf([family('socialsecurity')], policy, '10000').map(({ item, company }) => [item, company])).toEqual([
    ['workInjury', '20.00'],
    ['maternity', '80.00'],
  ])
})

test('uses the usual rate where a rate is to be chosen', () => {
  const policy: RecordData = {
    accumulationfundItems: [
      row('fund', '', '', {
        rateMode: 'range',
        companyRateMin: '5',
        companyRateMax: '12',
        personalRateMin: '5',
        personalRateMax: '12',
        rateStep: '1',
        companyRound: 'halfUp0',
        personalRound: 'halfUp0',
      }),
    ] as Value,
  }
  expect(trialOf([family('accumulationfund')], policy, '8765')).toEqual([
    { family: 'accumulationfund', item: 'fund', base: '8765.00', company: '614.00', personal: '614.00', foreign: null },
  ])
})
