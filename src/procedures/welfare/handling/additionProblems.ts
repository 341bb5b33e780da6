import { valueIn, type Values } from '../../../../engine/server/procedure.ts'
import type { FieldProblem, Label } from '../../../../engine/model/model.ts'
import { monthsFrom } from '../monthRange.ts'
import { wrongChoices } from './amounts.ts'
import { mostPaidBack } from './computeAddition.ts'
import type { AdditionName, Family } from './family.ts'
import { monthAfterWaiting } from './monthAfterWaiting.ts'
import { noAccountText } from './accountFor.ts'
import { policyFor } from './policyFor.ts'
import type { TicketPerson, TicketContext } from './ticketContext.ts'

const problem = (field: string, code: string, message: Label): FieldProblem => ({ field, code, message })

/**
 * Problems of an addition that only the policy, the person and their former enrolments show. `unpaidFrom`: the month
 * after the last one that a former enrolment paid.
 */
export function additionProblems(
  context: TicketContext,
  record: Values<AdditionName>,
  unpaidFrom: string | undefined,
): FieldProblem[] {
  const { family } = context
  const person = context.persons.get(record.person!)!
  const startMonth = String(record.startMonth)
  const refused = [...eligibility(family, person, startMonth), ...alreadyPaid(startMonth, unpaidFrom)]
  const policy = context.policies.find(({ id }) => id === record.policy)
  if (!policy || !policyFor(context, person, String(record.city), startMonth)) {
    const none = { cn: `该城市${startMonth}没有生效的政策`, en: `No policy in force in the city for ${startMonth}` }
    return [...refused, problem('policy', 'policy', none)]
  }
  if ((record.account ?? null) === null) {
    return [...refused, problem('account', 'required', noAccountText(context, person))]
  }
  const wrong = wrongChoices(family, policy, record).map((name) =>
    problem(name, 'policy', { cn: '比例或档次不在政策范围内', en: 'Rate or tier is outside the policy' }),
  )
  const late = monthsFrom(startMonth, context.month)
  const most = mostPaidBack(policy)
  const tooEarly = problem('startMonth', 'startMonth', {
    cn: `起缴月份过早，最多补缴${most}个月`,
    en: `The first paid month is too early: at most ${most} months may be paid back`,
  })
  return [...refused, ...wrong, ...(late > most ? [tooEarly] : [])]
}

/** No month is paid twice. */
const alreadyPaid = (startMonth: string, unpaidFrom = ''): FieldProblem[] =>
  startMonth >= unpaidFrom
    ? []
    : [
        problem('startMonth', 'startMonth', {
          cn: `起缴月份${startMonth}不可办理，最早为${unpaidFrom}：之前的月份已由上一段参保缴纳`,
          en: `${startMonth} is already paid by a former enrolment: the earliest first paid month is ${unpaidFrom}`,
        }),
      ]

function eligibility(family: Family, person: TicketPerson, startMonth: string): FieldProblem[] {
  const { cn, en, eligibility: rule } = family
  const { workerKinds, employmentForms, minServiceMonths, minServiceDays, requiresFamily } = rule
  const says = (message: Label) => [
    problem('person', 'eligibility', { cn: `不符合参加条件：${message.cn}`, en: `Not eligible: ${message.en}` }),
  ]
  if (workerKinds?.length && !workerKinds.includes(String(person.workerKind)))
    return says({ cn: `该人员类别不能参加${cn}`, en: `this worker type cannot join ${en}` })
  if (employmentForms?.length && !employmentForms.includes(String(person.employmentForm)))
    return says({ cn: `该用工形式不能参加${cn}`, en: `this employment type cannot join ${en}` })
  if (person.entryDate && startMonth < monthAfterWaiting(family, String(person.entryDate))) {
    if (minServiceDays)
      return says({ cn: `入职未满${minServiceDays}天`, en: `less than ${minServiceDays} days of service` })
    if (minServiceMonths)
      return says({ cn: `入职未满${minServiceMonths}个月`, en: `less than ${minServiceMonths} months of service` })
  }
  if (requiresFamily && valueIn(person, `${requiresFamily}Enrolment`) === null)
    return says({ cn: '须先参加所要求的险种', en: 'must be enrolled in the required family first' })
  return []
}
