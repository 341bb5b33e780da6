import { addDays, addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { type Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { averageBase } from '../../procedures/staff/averageBase.ts'
import { insuredMonths } from '../../procedures/staff/injuries.ts'
import { blankPage } from '../pictures/blankPage.ts'
import { mobile } from '../identifiers.ts'
import { personName } from '../pools.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260322
const stages = ['registered', 'reported', 'applied', 'identified', 'appraised', 'claiming', 'closed'] as const
const words: Readonly<Record<string, string>> = {
  registered: '已登记工伤事故',
  reported: '已向社保机构快报备案',
  applied: '已提交工伤认定申请',
  identified: '认定工伤',
  rejected: '不予认定',
  appraised: '已完成劳动能力鉴定',
  claiming: '已申领工伤待遇',
  closed: '已结案',
}
const accidents = [
  ['onDuty', '生产车间二号线', '右手食指', '操作冲压设备时未及时抽手，右手食指被夹伤，班组长立即停机并送医处理。'],
  [
    'commute',
    '演示路与示范街路口',
    '左小腿',
    '下班途中骑电动车通过路口时被右转机动车碰撞，交警认定本人无责任，左小腿骨折。',
  ],
  ['onDuty', '仓库卸货区', '腰部', '卸货时搬运重物扭伤腰部，当即无法站立，由同事陪同到医院检查治疗。'],
  ['travel', '样例大道客户现场', '右脚踝', '受公司指派到客户现场安装设备，下楼梯时踩空，造成右脚踝韧带损伤。'],
] as const

/** Cases in every state, each on a suitable date; one has less than a week left to apply. */
const cases = [
  { status: 'registered', days: 26 },
  { status: 'registered', days: 1 },
  { status: 'reported', days: 9 },
  { status: 'applied', days: 48 },
  { status: 'identified', days: 95 },
  { status: 'rejected', days: 120 },
  { status: 'claiming', days: 230 },
  { status: 'closed', days: 320 },
] as const

export async function writeInjuries(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const work = new ProcedureWork(context, db)
  const { entities } = context.derived.catalog
  const today = context.now.slice(0, 10)
  const clerk = resolve('user', 'support')
  const papers = {
    ...(await storeFile(context, db, '诊断证明.pdf', new TextEncoder().encode(blankPage))),
    status: 'success',
  }
  const people = await work.read('person', {
    where: { employmentStatus: 'active', entryDate: { between: [null, addDays(addMonths(today, -15)!, -1)!] } },
    fields: ['entryDate', 'customer'],
  })
  // A small company may employ nobody for that long.
  if (people.length === 0) return
  const made: RecordData[] = []
  for (const [index, { status, days }] of cases.entries()) {
    const person = people[Math.floor(people.length / cases.length) * index]
    const month = addDays(today, -days)!.slice(0, 7)
    const averageWage = averageBase(await insuredMonths(work, person.id, month), month)
    made.push(injuryOf(random, { index, status, days, today, person, averageWage, papers, clerk }))
  }
  const ids = await insertMany(context, db, entities.workInjury, made, { action: 'create' })
  await insertMany(
    context,
    db,
    entities.workInjuryProgress,
    made.flatMap((record, index) =>
      progressOf(record, today).map((entry): RecordData => ({
        ...entry,
        workInjury: ids[index],
        createdBy: clerk,
        updatedBy: clerk,
      })),
    ),
  )
  await insertMany(
    context,
    db,
    entities.workInjuryFee,
    made.flatMap((record, index) =>
      feesOf(random, record).map((fee): RecordData => ({ ...fee, workInjury: ids[index] })),
    ),
  )
}

interface DrawnInjury {
  index: number
  status: (typeof cases)[number]['status']
  /** How many days ago it happened. */
  days: number
  today: string
  person: Part<'person', 'customer'>
  averageWage: Value
  papers: Value
  clerk: Value
}

/** The record of an injury, up to its state. */
function injuryOf(
  random: Random,
  { index, status, days, today, person, averageWage, papers, clerk }: DrawnInjury,
): RecordData {
  const [accidentType, accidentPlace, injuryPart, description] = accidents[index % accidents.length]
  const date = addDays(today, -days)!
  const on = (after: number) => addDays(date, after)!
  const stage = status === 'rejected' ? 3 : stages.indexOf(status)
  const graded = status === 'claiming' || status === 'closed'
  return {
    injuryNo: days > 1 ? `GS${date.replaceAll('-', '')}0001` : null,
    person: person.id,
    customer: person.customer,
    accidentTime: `${date} ${status === 'registered' && days < 2 ? '08:10:00' : '10:20:00'}`,
    accidentPlace,
    accidentType,
    injuryPart,
    description,
    inpatient: stage >= 3,
    inpatientDays: stage >= 3 ? random.integer(5, 30) : null,
    reporter: personName(random),
    reporterPhone: mobile(random),
    reportedAt: `${date} 11:30:00`,
    applicantType: 'provider',
    reportDeadline: on(2),
    applyDeadline: on(30),
    status,
    hospital: stage >= 1 ? '演示区人民医院' : null,
    firstVisitDate: stage >= 1 ? date : null,
    diagnosis: stage >= 2 ? '外伤，经手术治疗' : null,
    attachments: stage >= 2 ? [papers] : null,
    bureauReportDate: stage >= 1 ? on(index === 2 ? 4 : 1) : null,
    applyDate: stage >= 2 ? on(18) : null,
    acceptDate: stage >= 3 ? on(25) : null,
    decision: status === 'rejected' ? 'notInjury' : stage >= 3 ? 'injury' : null,
    decisionNo: stage >= 3 ? `演示工认字${date.slice(0, 4)}第${100 + index}号` : null,
    decisionDate: stage >= 3 ? on(70) : null,
    suspendFrom: stage >= 3 ? date : null,
    suspendTo: stage >= 3 ? on(60) : null,
    appraisalDate: graded ? on(150) : null,
    disabilityGrade: graded ? random.pick(['g8', 'g9', 'g10']) : null,
    careLevel: graded ? 'none' : null,
    avgWage12: averageWage,
    createdBy: clerk,
    updatedBy: clerk,
    createdAt: `${date} 11:40:00`,
    updatedAt: `${date} 11:40:00`,
  }
}

/** The states that an injury has gone through, each on its day. */
function progressOf(
  { status, accidentTime, bureauReportDate, applyDate, decisionDate, appraisalDate }: RecordData,
  today: string,
): RecordData[] {
  const dates: Record<string, Value | undefined> = {
    registered: String(accidentTime).slice(0, 10),
    reported: bureauReportDate,
    applied: applyDate,
    [status === 'rejected' ? 'rejected' : 'identified']: decisionDate,
    appraised: appraisalDate,
    ...((status === 'claiming' || status === 'closed') && { claiming: addDays(String(appraisalDate), 15) }),
    ...(status === 'closed' && { closed: addDays(String(appraisalDate), 60) }),
  }
  return Object.entries(dates).flatMap(([stage, occurredOn]) =>
    (occurredOn ?? null) === null || String(occurredOn) > today
      ? []
      : [{ stage, occurredOn: occurredOn!, content: words[stage] }],
  )
}

function feesOf(random: Random, { status, disabilityGrade, avgWage12, decisionDate }: RecordData): RecordData[] {
  if (!['identified', 'claiming', 'closed'].includes(String(status))) return []
  const paidDate = status === 'closed' ? addDays(String(decisionDate), 40)! : null
  const [medical, food] = [random.integer(3000, 18_000), random.integer(5, 30) * 50]
  const months = { g8: 11, g9: 9, g10: 7 }[String(disabilityGrade)]
  const allowance = months === undefined || avgWage12 === null ? undefined : (Number(avgWage12) * months).toFixed(2)
  return [
    {
      feeType: 'medical',
      amount: `${medical}.00`,
      fundAmount: `${Math.floor(medical * 0.9)}.00`,
      payee: 'hospital',
      paidDate,
    },
    { feeType: 'food', amount: `${food}.00`, fundAmount: `${food}.00`, payee: 'person', paidDate },
    ...(allowance === undefined
      ? []
      : [{ feeType: 'disability', amount: allowance, fundAmount: allowance, payee: 'person', paidDate }]),
  ]
}
