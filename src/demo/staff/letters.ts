import type { Values } from '../../../engine/server/procedure.ts'
import { addDays } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { blocksOf } from '../../procedures/print/document.ts'
import { printPdf } from '../../procedures/print/pdf.ts'
import { fillPlaceholders } from '../../procedures/print/placeholders.ts'
import { averageIncome, letterValues } from '../../procedures/staff/letterText.ts'
import { blankPage } from '../pictures/blankPage.ts'
import { networkAddress } from '../pools.ts'
import { letterTemplates } from './letterTemplates.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260320
/** The number of letters in each state. */
const states = [
  ['draft', 8],
  ['submitted', 9],
  ['rejected', 4],
  ['approved', 9],
  ['issued', 25],
  ['void', 5],
] as const
const purposes = ['办理银行贷款', '办理签证', '落户申请', '租房登记', '职称评审', '子女入学', '学校存档']
const receivers = ['北辰示范银行北京演示支行', '演示区人力资源局', '示范大学学生处', null, null]

type Recipient = RecordData & { id: number }

/** Eight templates, and letters in every state, printed and stamped once they get that far. */
export async function writeLetters(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const { entities, dictionaries } = context.derived.catalog
  const today = context.now.slice(0, 10)
  const [manager, clerks] = [
    resolve('user', 'customerManager'),
    [resolve('user', 'support'), resolve('user', 'customerManager')],
  ]
  const stamp = (day: string) => ({
    createdBy: manager,
    updatedBy: manager,
    createdAt: `${day} 09:30:00`,
    updatedAt: `${day} 09:30:00`,
  })
  const templates = letterTemplates.map((template): RecordData => ({
    paper: 'a4',
    sealType: 'hr',
    needApproval: true,
    version: 1,
    status: 'enabled',
    ...template,
    ...stamp(addDays(today, -300)!),
  }))
  const ids = await insertMany(context, db, entities.certificate, templates, { action: 'create' })
  const people = await readPeople(context, db)
  const numbers = new Map<string, number>()
  const scan = {
    ...(await storeFile(context, db, '盖章扫描件.pdf', new TextEncoder().encode(blankPage))),
    status: 'success',
  }

  const made: RecordData[] = []
  for (const status of states.flatMap(([state, count]) => Array.from({ length: count }, () => state))) {
    const template = random.integer(0, templates.length - 1)
    const { proofType, paper } = templates[template]
    const candidates = fittingFor(people, proofType)
    // A small company may have no such person yet.
    if (candidates.length === 0) continue
    const { customerName, agencyName, contactPhone, address, ...person } = random.pick(candidates)
    const days = status === 'draft' || status === 'submitted' ? random.integer(1, 4) : random.integer(2, 120)
    const issueDate = addDays(today, -days)!
    const number = (numbers.get(issueDate) ?? 0) + 1
    numbers.set(issueDate, number)
    const applicant = random.pick(clerks)
    const letter = letterOf(random, {
      status,
      template: { ...templates[template], id: ids[template] },
      person,
      income: proofType === 'income' ? await incomeOf(context, db, person, today) : null,
      issueDate,
      number,
      applicant,
      manager,
    })
    letter.content = fillPlaceholders(
      String(templates[template].content),
      letterValues({
        letter: letter as Values<'proof'>,
        person: person as Values<'person'>,
        customer: { corporateName: customerName as string },
        agency: { name: agencyName, contactPhone, address } as Values<'agency'>,
        dictionary: (name) => dictionaries[name],
      }),
    )
    if (['approved', 'issued', 'void'].includes(String(letter.status)))
      letter.generatedFile = [await printed(context, db, letter, paper === 'a5' ? 'a5' : 'a4')]
    if (letter.status === 'issued') letter.scanFile = [scan]
    made.push(letter)
  }
  made.sort((a, b) => String(a.createdAt).localeCompare(String(b.createdAt)))
  const letterIds = await insertMany(context, db, entities.proof, made, { action: 'create' })
  await insertMany(
    context,
    db,
    entities.proofRecord,
    made.flatMap((letter, index) => recordsOf(random, letter, letterIds[index])),
  )
}

interface DrawnLetter {
  status: (typeof states)[number][0]
  template: RecordData & { id: number }
  person: RecordData
  /** The average income, which only some letters state. */
  income: string | null
  issueDate: string
  /** Its number among the letters of its day. */
  number: number
  applicant: Value
  manager: Value
}

function letterOf(
  random: Random,
  { status, template, person, income, issueDate, number, applicant, manager }: DrawnLetter,
): RecordData {
  const { proofType, language, sealType, needApproval } = template
  const decided = status !== 'draft' && status !== 'submitted' && needApproval === true
  return {
    proofNo: `ZM${issueDate.replaceAll('-', '')}${String(number).padStart(4, '0')}`,
    person: person.id,
    customer: person.customer,
    proofType,
    language,
    certificate: template.id,
    purpose: random.pick(purposes),
    receiver: random.pick(receivers),
    copies: random.weighted([
      [1, 70],
      [2, 25],
      [3, 5],
    ] as const),
    sealType,
    issueDate,
    incomeMonths: proofType === 'income' ? 12 : null,
    averageIncome: income,
    status: status === 'submitted' && needApproval !== true ? 'approved' : status,
    applicant,
    approver: decided ? manager : null,
    approvedAt:
      status === 'draft' || (status === 'submitted' && needApproval === true) ? null : `${issueDate} 16:40:00`,
    rejectReason: status === 'rejected' ? random.pick(['用途不明确，请补充提交单位', '收入数据与工资记录不符']) : null,
    voidReason: status === 'void' ? '员工不再需要' : null,
    createdBy: applicant,
    updatedBy: applicant,
    createdAt: `${issueDate} ${random.integer(10, 15)}:2${random.integer(0, 9)}:00`,
    updatedAt: `${issueDate} 16:40:00`,
  }
}

/** The people who may get a letter of this type, or any active ones. */
function fittingFor(people: readonly Recipient[], proofType: unknown): readonly Recipient[] {
  const ticketContext = people.filter(({ employmentStatus, workerKind }) =>
    proofType === 'leave'
      ? ['left', 'leaving'].includes(String(employmentStatus))
      : employmentStatus === 'active' && (proofType !== 'intern' || workerKind === 'intern'),
  )
  return ticketContext.length > 0
    ? ticketContext
    : people.filter(({ employmentStatus }) => employmentStatus === 'active')
}

/** Prints a letter. @returns the value of its file field. */
async function printed(context: Context, db: Db, letter: RecordData, size: 'a4' | 'a5') {
  const no = String(letter.proofNo)
  const content = await printPdf({ title: no, number: no, size, blocks: blocksOf(letter.content as string) })
  return { ...(await storeFile(context, db, `${no}.pdf`, content)), status: 'success' }
}

/** The people with letters, and the names of their customers and agencies. */
async function readPeople(context: Context, db: Db): Promise<Recipient[]> {
  const work = new ProcedureWork(context, db)
  const people = await work.read('person', {
    where: { employmentStatus: ['active', 'leaving', 'left'], agency: { empty: false } },
    fields: [
      'name',
      'idNumber',
      'gender',
      'position',
      'entryDate',
      'leaveDate',
      'leaveReason',
      'customer',
      'agency',
      'employmentStatus',
      'workerKind',
      'baseSalary',
    ],
  })
  const [customers, agencies] = [
    await work.byId(
      'customer',
      people.map(({ customer }) => customer),
      { fields: ['corporateName'] },
    ),
    await work.byId(
      'agency',
      people.map(({ agency }) => agency),
      { fields: ['name', 'contactPhone', 'address'] },
    ),
  ]
  return people.map(({ agency, ...person }) => {
    const { name: agencyName, contactPhone, address } = agencies.get(agency!)!
    return { ...person, customerName: customers.get(person.customer)!.corporateName, agencyName, contactPhone, address }
  })
}

async function incomeOf(context: Context, db: Db, { id, baseSalary }: RecordData, today: string): Promise<string> {
  const costs = await new ProcedureWork(context, db).read('costLine', {
    where: { person: id!, feeItem: 'grossWage' },
    fields: ['costMonth', 'amount'],
  })
  const wages = costs.map(({ costMonth: month, amount }) => ({ month, amount }))
  return averageIncome(wages, 12, today.slice(0, 7)) ?? String(baseSalary)
}

function recordsOf(
  random: Random,
  { status, applicant, issueDate, generatedFile, scanFile }: RecordData,
  letter: number,
): RecordData[] {
  const entry = (type: string, file: Value, days: number): RecordData => ({
    proof: letter,
    type,
    file,
    operator: applicant,
    operatedAt: `${addDays(String(issueDate), days)!} 1${random.integer(0, 6)}:1${random.integer(0, 9)}:00`,
    ip: networkAddress(random),
  })
  if (status === 'issued')
    return [
      entry('down', generatedFile!, 0),
      entry('up', scanFile!, 1),
      ...(random.chance(0.4) ? [entry('down', scanFile!, 1)] : []),
    ]
  return status === 'approved' && random.chance(0.4) ? [entry('down', generatedFile!, 0)] : []
}
