/** The cases of staff, wages and welfare that a demonstration needs. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Decimal } from '../../engine/expression/index.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { testWholeDemo } from '../../tests/demo.ts'
import { createSmallDemo } from '../../tests/smallDemo.ts'
import type { TestServer } from '../../tests/server.ts'
import { createContext, findUser } from '../../engine/server/identity/session.ts'
import { expenseFiles } from './welfare/expenseFiles.ts'

let server: TestServer
beforeAll(async () => {
  server = await createSmallDemo()
  // The first test that needs the demo creates it, which takes minutes on a busy machine.
}, 600_000)
afterAll(() => server.close())

const rows = async <T extends object>(query: ReturnType<typeof sql<T>>) =>
  (await query.execute(server.runtime.database.kysely)).rows
/** The count that a query returns. */
const count = async (query: ReturnType<typeof sql<{ count: number }>>): Promise<number> => (await rows(query))[0].count
const families = () => server.runtime.derived.catalog.families.handling.map(({ key }) => String(key))
const table = (family: string, name: string) => sql.table(`${family}${name}`)

describe('contracts', () => {
  test('include dispatch renewed twice, without end, and ending today, with each renewal in its chain', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from contract where "employmentForm" = 'dispatch' and "renewalCount" = 2 and stage = 'signed'`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from contract where "termType" = 'openEnded' and "endDate" is null and stage = 'signed'`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from contract where category = 'service' and stage = 'signed' and "endDate" = '2026-03-15'`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from contract c join contract p on p.id = c."renewalOf" where c."firstNo" is distinct from coalesce(p."firstNo", p."contractNo")`,
      ),
    ).toBe(0)
  })
})

describe('wage cards', () => {
  testWholeDemo('are in every state, some in another name for a reason, and were paid to', async () => {
    const states = await rows(
      sql<{
        status: string
        count: number
      }>`select "verifyStatus" as status, count(*)::integer as count from "personBankCard" group by 1`,
    )
    expect(states.map(({ status }) => status).sort()).toEqual(['failed', 'unverified', 'verified'])
    expect(
      await count(
        sql`select count(*)::integer as count from "personBankCard" c join person p on p.id = c.person where c."accountName" <> p.name and c."nameDiffReason" is not null`,
      ),
    ).toBeGreaterThan(2)
    expect(
      await count(
        sql`select count(*)::integer as count from "personBankCard" c where c."lastPaidAt" is null and exists (select 1 from "payLine" l where l.person = c.person and l."accountNo" = c."accountNo" and l.status = 'success')`,
      ),
    ).toBe(0)
    expect(
      await count(sql`select count(*)::integer as count from "personBankCard" where "lastPaidAt" is not null`),
    ).toBeGreaterThan(100)
  })
})

describe('people', () => {
  testWholeDemo(
    'include namesakes at one customer, an ID number ending in X, and one without a minimum wage',
    async () => {
      expect(
        await count(
          sql`select count(*)::integer as count from (select 1 from person where "deletedAt" is null group by customer, name having count(*) > 1) as same`,
        ),
      ).toBeGreaterThan(0)
      expect(
        await count(sql`select count(*)::integer as count from person where "idNumber" like '%X'`),
      ).toBeGreaterThan(0)
      expect(
        await count(
          sql`select count(*)::integer as count from person p join "minimumWage" w on w.city = p."workCity" where p."baseSalary" < w.amount and p."employmentStatus" = 'active'`,
        ),
      ).toBe(2)
    },
  )

  test('include some who joined after the cut-off day and are insured from the month after', async () => {
    expect(
      await count(sql`select count(*)::integer as count from person p join "socialsecurityEnrolment" e on e.person = p.id join policy y on y.id = e.policy
      where substring(p."entryDate"::text, 9, 2)::integer > y."cutoffDay" and e."startMonth" > substring(p."entryDate"::text, 1, 7)`),
    ).toBeGreaterThan(0)
  })

  test('include some who left one customer and were hired by another', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "employmentRecord" a join "employmentRecord" b on b.person = a.person and b.customer <> a.customer and a."leaveDate" < b."entryDate"`,
      ),
    ).toBeGreaterThan(0)
  })

  testWholeDemo('include some with social security but no fund, and retirees without insurance', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "socialsecurityEnrolment" e where e.status = 'enrolled' and not exists (select 1 from "accumulationfundEnrolment" f where f.person = e.person)`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from person p where p."workerKind" = 'retiree' and p."employmentStatus" = 'active' and not exists (select 1 from "socialsecurityEnrolment" e where e.person = p.id)`,
      ),
    ).toBeGreaterThan(0)
  })
})

describe('bases', () => {
  test('include some exactly on a floor, exactly on a ceiling, and far above one', async () => {
    const [found] = await rows(sql<{
      floor: number
      ceiling: number
      above: number
    }>`select count(*) filter (where e."declaredBase" = i."baseFloor")::integer as floor, count(*) filter (where e."declaredBase" = i."baseCeiling")::integer as ceiling,
      count(*) filter (where e."declaredBase" > i."baseCeiling" * 1.3)::integer as above from "socialsecurityEnrolment" e join "policyItem" i on i.policy = e.policy and i.item = 'pension'`)
    expect([found.floor > 0, found.ceiling > 0, found.above > 0], JSON.stringify(found)).toEqual([true, true, true])
  })
})

describe('tickets', () => {
  testWholeDemo(
    'are one addition per joiner and one reduction per leaver and family, nine of ten successful',
    async () => {
      for (const family of families()) {
        const [additions] = await rows(sql<{
          all: number
          done: number
          returned: number
          open: number
        }>`select count(*)::integer as all, count(*) filter (where status = 'success')::integer as done,
        count(*) filter (where status = 'returned')::integer as returned, count(*) filter (where status in ('pending', 'processing'))::integer as open from ${table(family, 'Addition')}`)
        expect(additions.done / additions.all, family).toBeGreaterThan(0.8)
        expect([additions.returned > 0, additions.open > 0], family).toEqual([true, true])
        expect(
          await count(
            sql`select count(*)::integer as count from ${table(family, 'Reduction')} where status = 'success'`,
          ),
          family,
        ).toBeGreaterThan(0)
      }
    },
  )

  test('include forty back-payments of one to six months, two with a late fee that the provider bears', async () => {
    const paidBack = server.runtime.derived.catalog.families.handling
      .filter(({ pages }) => (pages as { supplement: unknown }).supplement !== null)
      .map(({ key }) => String(key))
    const all = (
      await Promise.all(
        paidBack.map((family) =>
          rows(
            sql<{
              months: number
              fee: boolean
            }>`select months, ${server.runtime.derived.catalog.entities[`${family}Supplement`].fields.lateFee ? sql`("lateFeeBearer" = 'provider' and "lateFee" > 0)` : sql`false`} as fee from ${table(family, 'Supplement')}`,
          ),
        ),
      )
    ).flat()
    expect(all.length).toBeGreaterThanOrEqual(40)
    expect([...new Set(all.map(({ months }) => months))].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    expect(all.filter(({ fee }) => fee)).toHaveLength(2)
  })

  test('have back-payments only for months of an employment', async () => {
    for (const family of families()) {
      if (!server.runtime.derived.catalog.entities[`${family}Supplement`]) continue
      const outside = sql<{
        count: number
      }>`select count(*)::integer as count from ${table(family, 'Supplement')} as ticket where not exists (
        select from "employmentRecord" where person = ticket.person and left("entryDate"::text, 7) <= "fromMonth"
          and coalesce(left("leaveDate"::text, 7), '9999-12') >= "toMonth")`
      expect(await count(outside), family).toBe(0)
    }
  })

  testWholeDemo(
    'include a change of tier, a yearly adjustment of nearly everybody, and bases that wait for it',
    async () => {
      expect(
        await count(
          sql`select count(*)::integer as count from "medicalinsuranceAdjustment" where "adjustType" = 'tier'`,
        ),
      ).toBeGreaterThan(0)
      expect(
        await count(
          sql`select count(*)::integer as count from "socialsecurityAdjustment" where "adjustType" = 'annual'`,
        ),
      ).toBeGreaterThan(100)
    },
  )
})

describe('expenses', () => {
  test('include an adjustment into locked months, with a line of difference for each', async () => {
    for (const family of families()) {
      const differences = await rows(sql<{
        feeMonth: string
        belongMonth: string
        status: string
        source: string
        total: string
      }>`select d."feeMonth", d."belongMonth", a.status, d."sourceNo" as source, d.total::text as total
        from ${table(family, 'ExpenseLine')} d join ${table(family, 'Adjustment')} a on a."ticketNo" = d."sourceNo" where d."expenseType" = 'difference' and d."deletedAt" is null`)
      expect(differences.length, family).toBeGreaterThan(1)
      expect(
        differences.every(
          ({ feeMonth, belongMonth, status, total }) =>
            belongMonth < feeMonth && status === 'success' && Number(total) !== 0,
        ),
        JSON.stringify(differences),
      ).toBe(true)
      expect(
        await count(sql`select count(*)::integer as count from ${table(family, 'ExpenseLine')} d where d."expenseType" = 'difference' and not exists (
        select 1 from ${table(family, 'ExpenseLine')} n where n.person = d.person and n."feeMonth" = d."belongMonth" and n."expenseType" = 'normal' and n.stage = 'locked')`),
        `${family}: of months that are locked`,
      ).toBe(0)
    }
  })

  test('include base changes at one customer after the wages of their month, not yet deducted', async () => {
    const left = await rows(sql<{
      customer: number
      amount: string
    }>`select p.customer, u.amount::text as amount from undeducted u join payroll p on p.id = u.payroll
      where p.status in ('approved', 'paid') and p."welfareMonth" = u."feeMonth"`)
    expect(left).toHaveLength(await count(sql`select count(*)::integer as count from undeducted`))
    expect(left.length).toBeGreaterThan(0)
    expect(new Set(left.map(({ customer }) => customer)).size).toBe(1)
    expect(left.every(({ amount }) => Number(amount) > 0)).toBe(true)
  })

  test('include a late reduction, with what is paid back', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "socialsecurityExpenseLine" l join "socialsecurityReduction" r on r."ticketNo" = l."sourceNo" where l."expenseType" = 'refund' and l.total < 0`,
      ),
    ).toBeGreaterThan(0)
  })

  testWholeDemo('include a yearly item of a joiner in the middle of its year', async () => {
    expect(
      await count(sql`select count(*)::integer as count from "medicalinsuranceExpenseLine" l join "medicalinsuranceEnrolment" e on e.id = l.enrolment join policy p on p.id = l.policy join "policyItem" i on i.policy = p.id and i.item = 'seriousIllness' and i."payCycle" = 'year'
      where substring(e."startMonth", 6, 2)::integer <> i."payMonth" and l."seriousIllnessPersonal" > 0 and l."belongMonth" = e."startMonth"`),
    ).toBeGreaterThan(0)
  })
})

describe('wages', () => {
  test('store the welfare amounts that they include, so that later confirmed ones can follow', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "payrollLine" l join payroll p on p.id = l.payroll where p."incomeType" = 'wage' and (l."benefitDeduct" is null or l."benefitIncome" is null)`,
      ),
    ).toBe(0)
  })

  testWholeDemo('include a draft with negative net pay, and a person with the most deductions and no tax', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "payrollLine" l join payroll p on p.id = l.payroll where p.status = 'draft' and l."netPay" < 0`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from "specialDeduction" d where d."cumTotal" = (select max("cumTotal") from "specialDeduction") and not exists (select 1 from "payrollLine" l where l.person = d.person and l."currentTax" > 0)`,
      ),
    ).toBeGreaterThan(0)
  })

  test('include a person whose tax rate rises when 36 000 are exceeded', async () => {
    const taxed = await rows(
      sql<{
        rate: string
      }>`select distinct l."taxRate"::text as rate from "payrollLine" l join payroll p on p.id = l.payroll where l."baseSalary" = 20000 and p."incomeType" = 'wage' and l.statutory = 3500`,
    )
    expect(taxed.map(({ rate }) => Number(rate)).sort((a, b) => a - b)).toContain(3)
  })

  test('have withheld items that add up to the total', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "payrollLine" l where l."welfarePersonalTotal" <> coalesce((select sum(w.personal) from "payrollWelfare" w where w.line = l.id and w."deletedAt" is null), 0)`,
      ),
    ).toBe(0)
    expect(await count(sql`select count(*)::integer as count from "payrollWelfare" where family is null`)).toBe(0)
  })

  test("include a payment that failed and was repeated, and one that waits for the customer's payment", async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from "payLine" a join "payLine" b on b."payrollLine" = a."payrollLine" and b.status = 'success' where a.status = 'reissued' and a."failReason" = '户名与账号不符'`,
      ),
    ).toBeGreaterThan(0)
    const blocked = await rows(
      sql<{
        id: number
      }>`select b.id from "payBatch" b join payroll p on p.id = any(b.payrolls) join contract c on c.id = p."serviceContract" where b.status = 'draft' and c."paymentTerms" = 'prepaid'`,
    )
    const answers = await Promise.all(blocked.map(({ id }) => server.admin.post('/salary/payBatch/submit', { id })))
    expect(answers.filter(({ code, message }) => code === 409 && message.includes('先款后付')).length).toBeGreaterThan(
      0,
    )
  })

  test('include zero filings in every filed month', async () => {
    expect(
      await count(sql`select count(*)::integer as count from "personalTax" where "filingKind" = 'zero'`),
    ).toBeGreaterThan(5)
  })
})

describe('letters and injuries', () => {
  test('are sixty letters in every state from eight templates, and eight injuries, one due within a week', async () => {
    const statuses = server.runtime.derived.catalog.dictionaries.proofStatus.choices.map(({ value }) => value)
    const made = await rows(
      sql<{ status: string; count: number }>`select status, count(*)::integer as count from proof group by 1`,
    )
    expect(made.map(({ status }) => status).sort()).toEqual([...statuses].sort())
    expect(made.reduce((total, each) => total + each.count, 0)).toBe(60)
    expect(await count(sql`select count(*)::integer as count from certificate`)).toBe(8)
    expect(await count(sql`select count(*)::integer as count from "workInjury"`)).toBe(8)
    expect(
      await count(
        sql`select count(*)::integer as count from "workInjury" where status in ('registered', 'reported') and "applyDeadline" between '2026-03-15' and '2026-03-21'`,
      ),
    ).toBe(1)
  })
})

describe('sums of expenses', () => {
  test('agree in the summaries and in the inventory for each month, in parts and in total', async () => {
    for (const family of families()) {
      const { catalog } = server.runtime.derived
      const fee = catalog.entities[`${family}ExpenseSummary`].fields.lateFee ? ['lateFee'] : []
      const totals = ['companyTotal', 'personalTotal', ...fee, 'total', 'actualTotal', 'diff']
      const parts = [
        'normalCompany',
        'normalPersonal',
        'supplementCompany',
        'supplementPersonal',
        'differenceTotal',
        ...fee,
      ]
      const sums = async (entity: string, names: string[], feeMonth: string, filters = {}) =>
        (
          await server.admin.get(`/welfare/${family}${entity}/list`, {
            size: 1,
            filters: { feeMonth: { equals: feeMonth }, ...filters },
            sums: names,
          })
        ).result.sums as Record<string, string>
      const months = (
        await rows(sql<{ month: string }>`select distinct "feeMonth" as month from ${table(family, 'ExpenseSummary')}`)
      ).map(({ month }) => month)
      expect(months.length, family).toBeGreaterThan(1)
      const { tabs } = catalog.screens[`${family}ExpenseInventory.list`].body as { tabs: { filter: object }[] }
      for (const month of months) {
        const summed = await sums(
          'ExpenseSummary',
          [...totals.map((name) => (name === 'diff' ? 'diffTotal' : name)), ...parts],
          month,
        )
        const listed = await sums('ExpenseLine', totals, month, tabs[0].filter)
        const amount = (text: string) => new Decimal(text).toFixed(2)
        expect(
          totals.map((name) => amount(summed[name === 'diff' ? 'diffTotal' : name])),
          `${family} ${month}`,
        ).toEqual(totals.map((name) => amount(listed[name])))
        expect(
          parts.reduce((sum, name) => sum.plus(summed[name]), new Decimal('0')).toFixed(2),
          `${family} ${month}: its parts`,
        ).toBe(amount(summed.total))
      }
    }
  })
})

describe('tables of the bureau', () => {
  test('include people unknown to the system, and lack some known ones', async () => {
    await expenseFiles(createContext(server.runtime, (await findUser(server.runtime, 'admin'))!, 'cn'))
    for (const family of families()) {
      const states = await rows(sql<{
        status: string
        enrolled: boolean
      }>`select "reconcileStatus" as status, enrolment is not null as enrolled
        from ${table(family, 'ExpenseLine')} where "reconcileStatus" in ('extra', 'missing') and stage = 'open' and "deletedAt" is null group by 1, 2 order by 1, 2`)
      expect(states, `${family}: a stranger is nobody's, whoever is missing is enrolled`).toEqual([
        { status: 'extra', enrolled: false },
        { status: 'missing', enrolled: true },
      ])
      expect(
        await count(
          sql`select count(*)::integer as count from ${table(family, 'BigTableImportRow')} where hinted and "rowStatus" = 'created'`,
        ),
        `${family}: strangers are reported`,
      ).toBeGreaterThan(0)
    }
  })
})

// This must come last, because it changes the records that the other tests read.
describe('waiting wages', () => {
  test('are submitted and approved as calculated', async () => {
    const filters = { status: { in: ['calculated', 'submitted'] } }
    const batches: RecordData[] = (await server.admin.get('/salary/payroll/list', { filters, size: 100 })).result.list
    expect(new Set(batches.map(({ status }) => status)).size).toBe(2)
    const refused: string[] = []
    for (const { id, status } of batches) {
      const answer = await server.admin.post(`/salary/payroll/${status === 'submitted' ? 'approve' : 'submit'}`, { id })
      if (answer.code !== 1 && !answer.message.includes('实发为负')) refused.push(answer.message)
    }
    expect(refused).toEqual([])
  })
})
