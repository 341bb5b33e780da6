/**
 * Schemes of other countries and of companies as files. Samples beside them state their amounts, which the server's own
 * functions calculate here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { type Id, ProcedureWork, type Values } from '../../../engine/server/procedure.ts'
import { inWork } from '../../../engine/server/records/Work.ts'
import { lists } from '../../../src/lists.ts'
import { aboutOf, nothingEntered, type MonthInputs } from '../../../src/procedures/welfare/about.ts'
import type { Contribution } from '../../../src/procedures/welfare/contribution.ts'
import { formulaTypes } from '../../../src/procedures/welfare/formulas.ts'
import { monthly, policyItems } from '../../../src/procedures/welfare/handling/amounts.ts'
import type { Family } from '../../../src/procedures/welfare/handling/family.ts'
import { soFarBefore } from '../../../src/procedures/welfare/yearSoFar.ts'
import { dueIn, refundAfter } from '../../../src/procedures/welfare/yearly.ts'
import { resident } from '../../contract.ts'
import { moreOften, queriesOf } from '../../statementsOf.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { worldFiles } from './worldFiles.ts'
import { isLong } from '../../long.ts'

interface Samples {
  /** The origin of the figures. */
  source: string
  /** Item → the values of its policy row that differ from the family's defaults. */
  policy: Record<string, Record<string, string | boolean>>
  samples: {
    month: string
    startMonth?: string
    declaredBase?: string
    person: Values<'person'>
    choices?: Record<string, string | boolean>
    /** The inputs entered for the month. */
    entered?: Partial<MonthInputs>
    /** Item → the amounts of company and person. */
    gives: Record<string, [string, string]>
  }[]
  /** Consecutive months, each of which counts in the later ones of its year. */
  years?: {
    person: Values<'person'>
    choices?: Record<string, string | boolean>
    months: {
      month: string
      declaredBase?: string
      entered?: Partial<MonthInputs>
      gives: Record<string, [string, string]>
    }[]
  }[]
  /** Item → the refund of what was paid in `month`, if `lastMonth` is the last paid month. */
  refunds?: {
    month: string
    startMonth?: string
    lastMonth: string
    person: Values<'person'>
    gives: Record<string, [string, string]>
  }[]
}
const sidesOf = (amounts: Record<string, { company: string; personal: string }>) =>
  Object.fromEntries(Object.entries(amounts).map(([key, { company, personal }]) => [key, [company, personal]]))

const { catalog, issues } = compile([...readSchemas('schemas'), ...worldFiles], lists)

test('all of them compile together, and none is longer than ten thousand characters', () => {
  expect(issues.map(({ file, message }) => `${file} ${message}`)).toEqual([])
  expect(worldFiles.filter(({ text }) => text.length > 10_000)).toEqual([])
  expect(worldFiles).toHaveLength(13)
})

const sampleFiles = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.samples.json'))
const samplesIn = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Samples
/** The family's default policy rows, with the values of the samples. */
function rowsOf(family: string, policy: Samples['policy']) {
  const rows = catalog!.entities.policy.fields[`${family}Items`].default as { item: string }[]
  return rows.map((row) => ({ ...row, ...policy[row.item] }))
}
describe.each(sampleFiles)('%s', (name) => {
  const { source, policy, samples, years = [], refunds = [] } = samplesIn(name)
  const family = catalog!.families.handling.find(({ key }) => name === `${key}.samples.json`) as unknown as Family
  const under = { [`${family.key}Items`]: rowsOf(family.key, policy) } as Values<'policy'>

  test('names the source of its figures', () => expect(source.length).toBeGreaterThan(20))

  test.each(samples.map((sample, index) => ({ ...sample, index })))(
    '$index: $month, $declaredBase',
    ({ month, startMonth = '2020-01', declaredBase = null, person, choices = {}, entered = {}, gives }) => {
      const record = { declaredBase, ...choices }
      const due = dueIn(
        month,
        startMonth,
        monthly(family, under, {}, record, aboutOf(person, month, { entered: { ...nothingEntered, ...entered } })),
        policyItems(under, family),
      )
      expect(sidesOf(due)).toEqual(gives)
    },
  )

  test.each(years.map((year, index) => ({ ...year, index })))('year $index', ({ person, choices = {}, months }) => {
    const charged = new Map<string, Record<string, Contribution>>()
    for (const { month, declaredBase = null, entered = {} } of months) {
      const about = aboutOf(person, month, {
        soFar: soFarBefore(month, charged),
        entered: { ...nothingEntered, ...entered },
      })
      charged.set(month, monthly(family, under, {}, { declaredBase, ...choices }, about))
    }
    expect([...charged.values()].map(sidesOf)).toEqual(months.map(({ gives }) => gives))
  })

  test.each(refunds)(
    'refunds what was paid in $month if $lastMonth is the last month',
    ({ month, lastMonth, person, gives, startMonth = '2020-01' }) => {
      const whole = monthly(family, under, {}, {}, aboutOf(person, month))
      const rows = policyItems(under, family)
      const due = dueIn(month, startMonth, whole, rows)
      const charged = Object.fromEntries(
        Object.entries(due).map(([key, amounts]) => [key, { month, amounts, whole: whole[key] }]),
      )
      const about = aboutOf(person, lastMonth)
      expect(sidesOf(refundAfter(lastMonth, charged, rows, { items: family.items, about }))).toEqual(gives)
    },
  )
})

test('the template declares exactly the names and types of formulas', () => {
  const template = readFileSync('schemas/welfare/handling/handling.template.json', 'utf8')
  // The amounts of earlier items are named by the family's own items.
  const whole = template.replaceAll(/"earlier": \{[^}]*\} \}, /g, '')
  const named = [...whole.matchAll(/"over": (\{[^}]*\})/g)].map(
    ([, over]) => JSON.parse(over) as Record<string, string>,
  )
  expect(named.length).toBeGreaterThan(5)
  expect(Object.assign({}, ...named)).toEqual(formulaTypes)
})

describe('all together on a server', () => {
  let at: SchemeHouse
  const families = sampleFiles.map((name) => name.split('.')[0])
  beforeAll(async () => {
    at = await schemeHouse(() => structuredClone(catalog!))
    await at.policy('world', {
      cutoffDay: 20,
      payDay: 25,
      supplementAllowed: true,
      supplementMaxMonths: 12,
      ...Object.fromEntries(
        families.map((family) => [
          `${family}Items`,
          rowsOf(family, samplesIn(`${family}.samples.json`).policy) as Value,
        ]),
      ),
    })
  })
  afterAll(() => at?.house.close())

  test('a joiner is enrolled in the chosen families, and a month costs what the samples state', async () => {
    const taken = ['hongkongmpf', 'singaporecpf', 'germansocial', 'unionfee', 'groupmedical', 'relocation']
    // These are handled by no bureau.
    const byThemselves = ['unionfee', 'relocation']
    const bases = { hongkongmpf: '35000', singaporecpf: '5000', germansocial: '4000', unionfee: '3456.78' }
    const { id } = await at.joins({
      entryDate: '2026-03-01',
      nationality: '新加坡',
      workerKind: 'regular',
      ...Object.fromEntries(families.map((family) => [`${family}Needed`, taken.includes(family)])),
      ...Object.fromEntries(Object.entries(bases).map(([family, base]) => [`${family}DeclaredBase`, base])),
      unionfeeUnionDuesOn: true,
    })
    for (const family of taken.filter((each) => !byThemselves.includes(each))) {
      const [ticket] = await at.ticketsOf(`${family}Addition`, id)
      expect(ticket, family).toMatchObject({ status: 'pending', startMonth: '2026-03' })
      expect(await at.call(`${family}Addition`, 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({
        code: 1,
      })
    }
    for (const family of byThemselves)
      expect(await at.ticketsOf(`${family}Addition`, id)).toMatchObject([{ status: 'success', handleMonth: '2026-03' }])
    const march: Record<string, RecordData[]> = {}
    for (const family of taken) {
      expect(await at.generate(family, '2026-03')).toMatchObject({ code: 1 })
      march[family] = await at.lines(family, id)
    }
    expect(march).toMatchObject({
      hongkongmpf: [{ feeMonth: '2026-03', mpfCompany: '1500.00', mpfPersonal: '0.00' }],
      singaporecpf: [{ cpfCompany: '850.00', cpfPersonal: '1000.00' }],
      germansocial: [
        {
          germanPensionCompany: '372.00',
          germanCarePersonal: '72.00',
          germanInsolvencyCompany: '6.00',
          personalTotal: '838.00',
        },
      ],
      unionfee: [{ unionFundCompany: '69.14', unionDuesPersonal: '17.25' }],
      groupmedical: [{ groupCoverCompany: '1000.00' }],
      relocation: [{ relocationCompany: '8000.00' }],
    })
    // In the month after, the person pays too, and one-off payments are over.
    for (const family of taken) await at.generate(family, '2026-04')
    const april: Record<string, RecordData | undefined> = {}
    for (const family of taken)
      april[family] = (await at.lines(family, id)).find(({ feeMonth }) => feeMonth === '2026-04')
    expect(april.hongkongmpf).toMatchObject({ mpfCompany: '1500.00', mpfPersonal: '1500.00' })
    expect(april.singaporecpf).toMatchObject({ cpfCompany: '850.00', cpfPersonal: '1000.00' })
    expect([april.groupmedical, april.relocation]).toEqual([undefined, undefined])

    // Offboarding ends enrolments without a bureau, and undoing it restores them.
    const status = async () =>
      (await at.house.admin.get('/welfare/unionfeeEnrolment/list', { filters: { person: { equals: id } } })).result
        .list[0]
    expect(await at.leave(id, { leaveDate: '2026-04-30', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
    expect(await status()).toMatchObject({ status: 'stopped', endMonth: '2026-04' })
    expect(await at.house.admin.post('/staff/person/cancelLeave', { id })).toMatchObject({ code: 1 })
    expect(await status()).toMatchObject({ status: 'enrolled', endMonth: null })
  })

  test('a person in the required family may join, and another may not', async () => {
    const [required, voluntary] = ['hongkongmpf', 'hongkongvoluntary']
    const joined = (isRequired: boolean) =>
      at.joins({
        entryDate: '2026-03-01',
        ...Object.fromEntries(families.map((family) => [`${family}Needed`, isRequired && family === required])),
        ...(isRequired && { [`${required}DeclaredBase`]: '8000.00' }),
      })
    const add = (person: number) =>
      at.house.admin.post(`/welfare/${voluntary}Addition/create`, {
        values: { person, additionType: 'join', city: at.city, startMonth: '2026-03', declaredBase: '8000.00' },
      })
    const [inside, outside] = [await joined(true), await joined(false)]
    const [ticket] = await at.ticketsOf(`${required}Addition`, inside.id)
    expect(await at.call(`${required}Addition`, 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    expect((await add(outside.id)).errors).toMatchObject([{ message: '不符合参加条件：须先参加所要求的险种' }])
    expect(await add(inside.id)).toMatchObject({ code: 1 })
  })

  test.skipIf(!isLong)('many joiners take as many SQL statements as two, in families without a bureau', async () => {
    const needed = catalog!.families.handling.map(({ key }) => `${String(key)}Needed`)
    let order = 500
    const joined = async (size: number) => {
      const people = Array.from({ length: size }, (): Values<'person'> => ({
        name: '何静',
        idType: 'idcard',
        idNumber: resident(order++),
        householdType: 'localUrban',
        mobile: '15400000026',
        customer: at.customer as Id<'customer'>,
        serviceContract: at.service as Id<'contract'>,
        supportStaff: 1 as Id<'user'>,
        position: '装配工',
        workCity: '320500',
        insuranceCity: at.city,
        employmentForm: 'dispatch',
        entryDate: '2026-03-10',
        baseSalary: '6000',
        ...Object.fromEntries(needed.map((name) => [name, name === 'relocationNeeded'])),
      }))
      let ids: number[] = []
      const queries = await queriesOf(() =>
        inWork(at.house.context(), { cause: 'system' }, async ({ context, db }) => {
          ids = await new ProcedureWork(context, db).createAll('person', people)
        }),
      )
      const { rows } = await at.house.database.pool.query(
        'select status from "relocationAddition" where person = any($1)',
        [ids],
      )
      expect(rows).toEqual(ids.map(() => ({ status: 'success' })))
      return queries
    }
    // The first run fills caches, so it is not counted.
    await joined(2)
    expect(moreOften(await joined(2), await joined(20))).toEqual([])
  })
})
