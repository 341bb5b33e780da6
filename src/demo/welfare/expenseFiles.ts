import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import type { ImportPlan, RecordData, Value } from '../../../engine/model/model.ts'
import { enrolmentOf, expenseLineOf, familiesOf, type Family } from '../../procedures/welfare/handling/family.ts'
import { idNumber } from '../identifiers.ts'
import { Random } from '../random.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

const seed = 20260325
/** The most files of a family. */
const mostTables = 4
/** In the largest: the number of people whom the bureau has not charged, and of those with another base. */
const [unpaid, otherBases] = [5, 8]

/**
 * The bureau's tables of the previous month, for every family: nearly all as expected, some a few cents off, some with
 * another base, some with unknown people, some missing. A family with personal numbers also gets their file.
 */
export async function expenseFiles(whole: Context): Promise<void> {
  const { context, upload } = await uploadsBy(whole, 'welfareClerk')
  const work = new ProcedureWork(whole, whole.runtime.database.kysely)
  const random = new Random(seed)
  const month = addMonths(context.now.slice(0, 7), -1)!
  for (const family of familiesOf(work)) {
    const plan = context.derived.imports.get(`${family.key}BigTableImport`)!
    const lines = await work.read(expenseLineOf(family), {
      where: { feeMonth: month, stage: 'open', expenseType: 'normal' },
    })
    if (lines.length < 10) continue
    const found = await work.byId(
      'policyAccount',
      lines.map(({ account }) => account),
      { fields: ['accountNo'] },
    )
    const accounts = new Map<number | null, string>([...found].map(([id, { accountNo }]) => [id, accountNo]))
    // The bureau has a table for each account; the largest has the discrepancies, and those of small accounts are still
    // to come.
    const [largest, ...others] = [...accounts.keys()]
      .map((account) => lines.filter((line) => line.account === account))
      .sort((a, b) => b.length - a.length)
    const rows = largest.slice(0, -unpaid).map((line, index) => {
      const cells = tableRow(family, plan, line, accounts)
      if (index < otherBases && family.base.mode !== 'none') return changed(cells, firstAmount(plan), new Decimal(120))
      return random.chance(0.01)
        ? changed(cells, firstAmount(plan), new Decimal(random.integer(1, 5)).dividedBy(100))
        : cells
    })
    const strangers = ['赵示', '孙示', '钱示', '郑示', '冯示'].map((personName) => ({
      ...rows[0],
      personName,
      idNumber: idNumber(random, '1990-03-07', 'male'),
      personalAccountNo: '',
    }))
    const table = (own: RecordData[], cells: Cells[]) =>
      upload(
        `${family.key}BigTableImport`,
        `${month} ${family.cn}大表 ${accounts.get(own[0].account as number)}.xlsx`,
        cells,
        { given: { feeMonth: month, account: own[0].account! } },
      )
    await table(largest, [...rows, ...strangers])
    for (const own of others.slice(0, mostTables - 1))
      await table(
        own,
        own.map((line) => tableRow(family, plan, line, accounts)),
      )
    if (rows.length > 0 && family.expense.masks.includes(2))
      await backPayments(context, family, rows[0], (batches, name, cells) =>
        upload(batches, name, cells, { given: { feeMonth: month, account: largest[0].account! } }),
      )
    await personCodes(work, family, upload)
  }
}

/** The table of back-payments, with an unknown person, and a row that does not add up. */
async function backPayments(
  context: Context,
  { key, cn }: Family,
  row: Cells,
  upload: (batches: string, name: string, rows: Cells[]) => Promise<void>,
): Promise<void> {
  const plan = context.derived.imports.get(`${key}BigTableSupplementImport`)!
  const cells = Object.fromEntries(plan.columns.map(({ field }) => [field, row[field] ?? '']))
  const stranger = {
    ...cells,
    personName: '周示',
    idNumber: '990101199003074550',
    personalAccountNo: '',
    belongMonth: row.feeMonth,
    toMonth: row.feeMonth,
  }
  await upload(`${key}BigTableSupplementImport`, `${row.feeMonth} ${cn}补缴大表.xlsx`, [
    stranger,
    { ...stranger, personName: '吴示', idNumber: '990101199003074577', actualTotal: '1.00' },
  ])
}

/** The bureau's data of a person without discrepancies. */
function tableRow(
  { items, base }: Family,
  plan: ImportPlan,
  line: RecordData,
  accounts: ReadonlyMap<number | null, string>,
): Cells {
  const cells: Record<string, unknown> = {
    feeMonth: line.feeMonth,
    account: accounts.get(line.account as number),
    personName: line.personName,
    idNumber: line.idNumber,
    personalAccountNo: line.personalAccountNo,
    expenseType: '正常缴费',
    belongMonth: line.belongMonth,
    actualTotal: line.total,
    ...(base.mode === 'shared' && { actualBase: line.base }),
    ...Object.fromEntries(
      items.flatMap(({ key }) => [
        [`${key}ActualBase`, line[`${key}Base`]],
        [`${key}ActualCompany`, line[`${key}Company`]],
        [`${key}ActualPersonal`, line[`${key}Personal`]],
      ]),
    ),
  }
  // Checked columns contain the system's value, others the template's sample.
  const checked = (field: string) => line[field.replace('checked', 'system')]
  return Object.fromEntries(
    plan.columns.map(({ field, sample }) => [
      field,
      String(cells[field] ?? (field.startsWith('checked') ? (checked(field) ?? sample) : undefined) ?? ''),
    ]),
  )
}

const firstAmount = ({ columns }: ImportPlan): string =>
  columns.find(({ field }) => field.endsWith('ActualCompany'))!.field
const changed = (cells: Cells, field: string, by: Decimal): Cells => ({
  ...cells,
  [field]: new Decimal(cells[field] || 0).plus(by).toFixed(2),
  actualTotal: new Decimal(cells.actualTotal).plus(by).toFixed(2),
})

/** Numbers newly assigned by the bureau, and one of a person who is not enrolled. */
async function personCodes(
  work: ProcedureWork,
  family: Family,
  upload: (batches: string, name: string, rows: Cells[], more: { given: Record<string, Value> }) => Promise<void>,
): Promise<void> {
  const found = await work.read(enrolmentOf(family), {
    where: { status: 'enrolled' },
    fields: ['personName', 'idNumber', 'personalAccountNo', 'account'],
  })
  const account = found[0]?.account ?? null
  const rows = found
    .filter((each) => each.account === account)
    .slice(0, 3)
    .map(({ personName, idNumber, personalAccountNo }, index): Cells => ({
      personName: String(personName),
      person: String(idNumber),
      personalAccountNo: index === 0 ? '12' : `97${String(personalAccountNo).slice(2)}`,
    }))
  await upload(
    `${family.key}PersonCodeImport`,
    `${family.cn}${family.account.personalCn}.xlsx`,
    [...rows, { personName: '无此人', person: '990101199003074511', personalAccountNo: '970000000099' }],
    { given: { account } },
  )
}
