/**
 * Loads the ten schemes into a running server, plays twelve months through the API, compares them with `model.ts`, and
 * removes the schemes again. The people are of every age; they join at the start or later, leave, and change rates.
 * `npm run books -- --schemes 40` plays more people.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from 'decimal.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog, RecordData, Value } from '../../../engine/model/model.ts'
import { reloadSchemas } from '../../../engine/server/http/reload.ts'
import { clockOn } from '../../clock.ts'
import { isLong } from '../../long.ts'
import { productCatalog } from '../../compiledOnce.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { addTo, dueOf, model, noSums, vestedIn, type Sides, type Situation, type Sums } from './model.ts'
import { peopleOf, type Member } from './people.ts'
import { catalogWith } from './worldFiles.ts'

const count = Number(process.env.BOOKS_SCHEMES ?? 3)
const seed = Number(process.env.BOOKS_SEED ?? 21)
const isWhole = isLong || count > 4
const all = [
  'hongkongmpf',
  'singaporecpf',
  'retirementplan',
  'germansocial',
  'enterpriseannuity',
  'unionfee',
  'groupmedical',
  'mealallowance',
  'physicalexam',
  'relocation',
]
/** In the short form the families whose months depend on each other, and one each with a refund and a vested part. */
const families = isWhole ? all : ['hongkongmpf', 'singaporecpf', 'retirementplan', 'enterpriseannuity', 'groupmedical']
/** The families whose months are confirmed: all, or in the short form those whose order matters and one more. */
const confirmed = count > 4 ? families : ['retirementplan', 'singaporecpf', 'hongkongmpf']
/** Yuan for 100 units of the currency. */
const rates: Record<string, string> = {
  hongkongmpf: '91.53',
  singaporecpf: '553.1200',
  retirementplan: '708.27',
  germansocial: '829.4',
}
const limits = { deferral: { compensation: '250000.00', deferred: '17000.00', catchUp: '5500.00' } }

let at: SchemeHouse
const people: (Member & { id: number })[] = []

beforeAll(async () => {
  at = await schemeHouse(() => structuredClone(productCatalog()))
  await load(withSchemes())
  goTo('2026-01-05')
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: true,
    supplementMaxMonths: 12,
    ...Object.fromEntries(
      families.filter((family) => rates[family]).map((family) => [`${family}ExchangeRate`, rates[family]]),
    ),
    ...Object.fromEntries(families.map((family) => [`${family}Items`, rowsOf(family) as Value])),
  })
})
afterAll(() => at?.house.close())

const withSchemes = () => catalogWith('twelve', Object.fromEntries(families.map((key) => [key, () => ({})])))
const load = async (catalog: Catalog) =>
  expect(await reloadSchemas(at.house.runtime, () => ({ catalog, issues: [] }))).toEqual([])
const goTo = (day: string) => Object.assign(at.house.runtime, { clock: clockOn(day) })
function rowsOf(family: string): object[] {
  const file = readFileSync(join(import.meta.dirname, `${family}.samples.json`), 'utf8')
  const { policy } = JSON.parse(file) as { policy: Record<string, object> }
  const rows = at.house.runtime.derived.catalog.entities.policy.fields[`${family}Items`].default as { item: string }[]
  return rows.map((row) => ({ ...row, ...policy[row.item] }))
}
const found = <T>(answer: { code: number; result: T }): T => {
  expect(answer).toMatchObject({ code: 1 })
  return answer.result
}
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Enrols a member in the families that they take; tickets that bureaus handle succeed at once. */
async function enrol(member: Member, month: string): Promise<void> {
  const { bases, choices, takes, start, ...values } = member
  const { id } = await at.joins({
    ...Object.fromEntries(families.map((family) => [`${family}Needed`, takes.includes(family)])),
    ...Object.fromEntries(takes.map((family) => [`${family}StartMonth`, start[family]])),
    ...Object.fromEntries(
      Object.entries(bases)
        .filter(([family]) => families.includes(family))
        .map(([family, base]) => [`${family}DeclaredBase`, base]),
    ),
    ...Object.fromEntries(
      takes.flatMap((family) =>
        Object.entries(choices[family] ?? {}).map(([name, value]) => [`${family}${upper(name)}`, value]),
      ),
    ),
    idType: 'passport',
    idNumber: values.idNumber,
    ...Object.fromEntries(
      (['birthDate', 'entryDate', 'nationality', 'workerKind', 'gender'] as const).map((name) => [name, values[name]]),
    ),
  })
  people.push({ ...member, id })
  await succeed('Addition', id, takes, month)
}
async function succeed(operation: string, person: number, families: readonly string[], month: string): Promise<void> {
  for (const family of families) {
    const tickets = await at.ticketsOf(`${family}${operation}`, person)
    for (const ticket of tickets.filter(({ status }) => status === 'pending'))
      found(await at.call(`${family}${operation}`, 'succeed', ticket.id!, { handleMonth: month }))
    expect((await at.ticketsOf(`${family}${operation}`, person)).at(-1), family).toMatchObject({ status: 'success' })
  }
}
async function enter(family: string, person: number, month: string, name: string, value: string | undefined) {
  if (value !== undefined) await at.house.create(`/welfare/${family}MonthInput`, { person, month, [name]: value })
}

/** Plays the events of a month and confirms its expenses. */
async function play(month: string, joining: readonly Member[]): Promise<void> {
  goTo(`${month}-05`)
  for (const member of joining.filter(({ joins }) => joins === month)) await enrol(member, month)
  for (const person of people) {
    const { id, takes, choices, changes, leaves } = person
    if (changes?.month === month) {
      const { personalRate } = changes
      const ticket = await at.house.create('/welfare/retirementplanAdjustment', {
        person: id,
        adjustType: 'rate',
        effectiveMonth: month,
        deferralNewCompanyRate: '50',
        deferralNewPersonalRate: personalRate,
      })
      found(await at.call('retirementplanAdjustment', 'succeed', ticket, { handleMonth: month }))
      choices.retirementplan = { ...choices.retirementplan, deferralPersonalRate: personalRate }
    }
    if (leaves !== undefined && month > leaves.slice(0, 7)) continue
    const { attendedDays, additionalWages } = person.entered(month)
    if (takes.includes('mealallowance')) await enter('mealallowance', id, month, 'attendedDays', attendedDays)
    if (takes.includes('singaporecpf')) await enter('singaporecpf', id, month, 'additionalWages', additionalWages)
    if (leaves?.slice(0, 7) === month) {
      goTo(`${month}-10`)
      found(await at.leave(id, { leaveDate: leaves, leaveReason: 'resignation' }))
      await succeed('Reduction', id, takes, month)
    }
  }
  for (const family of families) {
    found(await at.generate(family, month))
    if (!confirmed.includes(family)) continue
    const filters = { feeMonth: { between: [month, month] as Value } }
    const { list } = found(await at.house.admin.get(`/welfare/${family}ExpenseSummary/list`, { filters }))
    for (const { id } of list as RecordData[]) found(await at.call(`${family}ExpenseSummary`, 'confirm', id!))
  }
}

const months = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`)

/** A person's year in a family by the model: month → item → the amounts of both sides and the refunds. */
function yearOf(person: Member, family: string) {
  let sums: Record<string, Sums> = {}
  const charged: Record<string, Record<string, Sides>> = {}
  const choices = { ...person.firstChoices[family] }
  for (const month of months) {
    if (person.changes?.month === month) Object.assign(choices, { deferralPersonalRate: person.changes.personalRate })
    if (month < person.start[family] || (person.leaves && month > person.leaves.slice(0, 7))) continue
    const given: Situation = {
      ...person,
      month,
      base: person.bases[family] ?? '0',
      choices,
      entered: person.entered(month),
      limits,
      soFar: (item) => sums[item] ?? noSums,
    }
    const amounts = model[family](given)
    sums = Object.fromEntries(
      Object.entries(amounts).map(([item, sides]) => [item, addTo(sums[item] ?? noSums, item, given, sides)]),
    )
    const due = Object.entries(amounts).map(([item, sides]) => [item, dueOf(item, sides, month, person.start[family])])
    charged[month] = Object.fromEntries(due)
  }
  return charged
}
const isNothing = (due: Record<string, Sides>) =>
  Object.values(due).every((sides) => sides.every((side) => side.isZero()))
const written = (sides: Sides) => sides.map((side) => side.toFixed(2))
/** The same from a line; an item lacks the field of a side that it does not have. */
const sidesOf = (line: RecordData, items: string[]) =>
  Object.fromEntries(
    items.map((item) => [item, [line[`${item}Company`] ?? '0.00', line[`${item}Personal`] ?? '0.00'].map(String)]),
  )

test(
  `${count} people of seed ${seed} are charged correctly in ${families.length} schemes, month by month`,
  async () => {
    const joining = peopleOf(seed, count).map((member) => ({
      ...member,
      takes: member.takes.filter((family) => families.includes(family)),
    }))
    for (const month of months) {
      await play(month, joining)
    }
    expect(people).toHaveLength(count)
    const played = { lines: 0, refunds: 0, leavers: 0 }
    for (const person of people) {
      for (const family of person.takes) {
        const expected = yearOf(person, family)
        const lines = await at.lines(family, person.id)
        const items = Object.keys(Object.values(expected)[0] ?? {})
        const normal = lines.filter(({ expenseType }) => expenseType === 'normal')
        expect(
          Object.fromEntries(normal.map((line) => [line.feeMonth, sidesOf(line, items)])),
          `${family} of ${JSON.stringify(person)}`,
        ).toEqual(
          Object.fromEntries(
            Object.entries(expected)
              .filter(([, due]) => !isNothing(due))
              .map(([month, due]) => [
                month,
                Object.fromEntries(Object.entries(due).map(([item, sides]) => [item, written(sides)])),
              ]),
          ),
        )
        played.lines += normal.length
        played.refunds += await checkLeave(person, family, expected, lines)
        await checkCosts(person.id, family, lines)
      }
      if (person.leaves) played.leavers++
    }
    console.log(played)
    expect(played.lines).toBeGreaterThan(count * (isWhole ? 20 : 10))
    expect(played.leavers).toBeGreaterThan(0)
  },
  120_000 + count * 60_000,
)

test.skipIf(!isLong)(
  'unloading removes the schemes, and loading them again brings back their months',
  async () => {
    const lines = () => Promise.all(families.map((family) => at.lines(family, people[0].id)))
    const before = await lines()
    expect(before.flat().length).toBeGreaterThan(0)
    await load(structuredClone(productCatalog()))
    const { admin } = at.house
    for (const family of families)
      expect((await admin.get(`/welfare/${family}ExpenseLine/list`, {})).status, family).toBe(404)
    for (const path of ['/staff/person', '/welfare/policy', '/settlement/statement', '/salary/payroll'])
      expect(found(await admin.get(`${path}/list`, {})), path).toHaveProperty('list')
    expect(found(await admin.get('/staff/person/detail', { id: people[0].id }))).toMatchObject({ id: people[0].id })
    await load(withSchemes())
    expect(await lines()).toEqual(before)
  },
  120_000,
)

/** Checks a leaver's refund of the insurance and vested part of the plans. @returns the number of refund lines */
async function checkLeave(
  { id, leaves, entryDate }: Member & { id: number },
  family: string,
  expected: Record<string, Record<string, Sides>>,
  lines: readonly RecordData[],
): Promise<number> {
  const refunds = lines.filter(({ expenseType }) => expenseType !== 'normal')
  if (leaves === undefined) {
    expect(refunds, family).toEqual([])
    return 0
  }
  const lastMonth = leaves.slice(0, 7)
  if (family === 'groupmedical') {
    const paid = Object.values(expected).reduce((sum, { groupCover }) => sum.plus(groupCover[0]), new Decimal(0))
    const [first] = Object.keys(expected)
    const whole = paid.times(12).div(13 - Number(first.slice(5)))
    const unused = 12 - Number(lastMonth.slice(5))
    const back = whole.times(unused).div(12).times('0.75').toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    expect(refunds.map((line) => line.groupCoverCompany)).toEqual(back.isZero() ? [] : [back.negated().toFixed(2)])
  } else expect(refunds, family).toEqual([])
  const item = { retirementplan: 'deferral', enterpriseannuity: 'annuity' }[family] as
    | 'deferral'
    | 'annuity'
    | undefined
  if (item) {
    const company = Object.values(expected).reduce((sum, due) => sum.plus(due[item][0]), new Decimal(0))
    const percent = vestedIn(item, entryDate, leaves)
    const vested = company.times(percent).div(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    expect((await at.ticketsOf(`${family}Reduction`, id)).at(-1)).toMatchObject({
      [`${item}Contributed`]: company.toFixed(2),
      [`${item}VestedRate`]: percent.toFixed(4),
      [`${item}Vested`]: vested.toFixed(2),
      [`${item}Unvested`]: company.minus(vested).toFixed(2),
    })
  }
  return refunds.length
}

/** Costs delivered to settlement are in yuan, at the policy's rate. */
async function checkCosts(person: number, family: string, lines: readonly RecordData[]): Promise<void> {
  const rate = new Decimal(rates[family] ?? 100).div(100)
  const items = at.house.runtime.derived.catalog.families.handling.find(({ key }) => key === family)!.items as {
    key: string
  }[]
  const amounts = lines.flatMap((line) =>
    items.flatMap(({ key }) => [line[`${key}Company`] ?? 0, line[`${key}Personal`] ?? 0]),
  )
  const yuan = amounts.map((amount) => rate.times(String(amount)).toDecimalPlaces(2, Decimal.ROUND_HALF_UP))
  const { rows } = await at.house.database.pool.query<{ sum: string }>(
    'select coalesce(sum(amount), 0)::text as sum from "costLine" where person = $1 and "sourceType" = $2',
    [person, `${family}Expense`],
  )
  expect(new Decimal(rows[0].sum).toFixed(2), family).toBe(Decimal.sum(0, ...yuan).toFixed(2))
}
