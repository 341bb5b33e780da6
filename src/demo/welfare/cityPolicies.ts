import type { RecordData } from '../../../engine/model/model.ts'

/** A city's policy, with illustrative amounts: items without their own limits use those of the kind. */
export interface CityPolicy {
  city: string
  name: string
  avgMonthlyWage: number
  cutoffDay: number
  payDay: number
  kinds: Record<
    string,
    { adjustMonth: number; limits: [floor: number, ceiling: number]; round: string; items: Record<string, RecordData> }
  >
}

const rates = (companyRate: string, personalRate: string | null = null) => ({
  enabled: true,
  amountMode: 'rate',
  companyRate,
  personalRate,
})
const within = ([baseFloor, baseCeiling]: [number, number]) => ({ baseFloor, baseCeiling })
const range = (item: string, companyRateMin: string, companyRateMax: string) => ({
  [item]: { enabled: true, companyRateMin, companyRateMax },
})
const off = { enabled: false }

interface Row {
  place: [city: string, name: string]
  wage: number
  days: [cutoff: number, pay: number]
  months: [social: number, fund: number]
  pension: [number, number]
  unemployment: RecordData
  injury: string
  items: Record<string, RecordData>
  round?: string
  fund: [number, number]
  funds: Record<string, RecordData>
}
const made = ({
  place: [city, name],
  wage,
  days: [cutoffDay, payDay],
  months,
  pension,
  unemployment,
  injury,
  items,
  round = 'halfUp2',
  fund,
  funds,
}: Row): CityPolicy => ({
  city,
  name,
  avgMonthlyWage: wage,
  cutoffDay,
  payDay,
  kinds: {
    social: {
      adjustMonth: months[0],
      limits: pension,
      round,
      items: { pension: rates('16', '8'), unemployment, workInjury: rates(injury), ...items },
    },
    fund: { adjustMonth: months[1], limits: fund, round: 'halfUp0', items: { supplementFund: off, ...funds } },
  },
})

export const cityPolicies: readonly CityPolicy[] = [
  made({
    place: ['110100', '北京'],
    wage: 11761,
    days: [12, 25],
    months: [7, 7],
    pension: [6821, 35283],
    unemployment: rates('0.5', '0.5'),
    injury: '0.4',
    items: {
      medical: rates('9.8', '2'),
      seriousIllness: { enabled: true, amountMode: 'fixed', companyFixed: '0.00', personalFixed: '3.00' },
    },
    fund: [2420, 35283],
    funds: range('fund', '5', '12'),
  }),
  made({
    place: ['310100', '上海'],
    wage: 12307,
    days: [15, 25],
    months: [7, 7],
    pension: [7384, 36921],
    unemployment: rates('0.5', '0.5'),
    injury: '0.26',
    round: 'ceil1',
    items: { medical: rates('9', '2'), seriousIllness: off },
    fund: [2690, 36921],
    funds: { ...range('fund', '5', '7'), ...range('supplementFund', '1', '5') },
  }),
  made({
    place: ['440300', '深圳'],
    wage: 13730,
    days: [12, 20],
    months: [7, 7],
    pension: [4492, 27501],
    unemployment: { ...rates('0.8', '0.2'), ...within([2360, 41190]) },
    injury: '0.2',
    items: {
      'socialsecurity.maternity': rates('0.5'),
      seriousIllness: off,
      medical: {
        ...within([6475, 32375]),
        rateMode: 'tier',
        companyRate: null,
        personalRate: null,
        tiers: [
          { tierCode: 't1', tierName: '一档', companyRate: '5', personalRate: '2', isDefault: true },
          { tierCode: 't2', tierName: '二档', companyRate: '1.5', personalRate: '0.5', isDefault: false },
        ],
      },
    },
    fund: [2360, 41190],
    funds: range('fund', '5', '12'),
  }),
  made({
    place: ['440100', '广州'],
    wage: 12694,
    days: [14, 22],
    months: [7, 7],
    pension: [5500, 27501],
    unemployment: { ...rates('0.8', '0.2'), ...within([2300, 38082]) },
    injury: '0.2',
    items: {
      'socialsecurity.maternity': rates('0.85'),
      medical: { ...rates('5.5', '2'), ...within([6200, 31000]) },
      seriousIllness: { ...rates('0.26', '0'), ...within([6200, 31000]) },
    },
    fund: [2300, 38082],
    funds: range('fund', '5', '12'),
  }),
  made({
    place: ['330100', '杭州'],
    wage: 8311,
    days: [15, 25],
    months: [1, 7],
    pension: [4462, 24930],
    unemployment: rates('0.5', '0.5'),
    injury: '0.4',
    items: {
      medical: rates('9.5', '2'),
      seriousIllness: {
        enabled: true,
        amountMode: 'fixed',
        companyFixed: '0.00',
        personalFixed: '36.00',
        payCycle: 'year',
        payMonth: 1,
        annualRule: 'full',
        annualRefund: 'none',
      },
    },
    fund: [2490, 39530],
    funds: range('fund', '5', '12'),
  }),
  made({
    place: ['510100', '成都'],
    wage: 7518,
    days: [10, 20],
    months: [1, 7],
    pension: [4511, 22554],
    unemployment: rates('0.6', '0.4'),
    injury: '0.2',
    items: {
      medical: rates('6.9', '2'),
      'medicalinsurance.maternity': rates('0.8'),
      seriousIllness: rates('0.75', '0'),
    },
    fund: [2100, 29344],
    funds: range('fund', '5', '12'),
  }),
]
