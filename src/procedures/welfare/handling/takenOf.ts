import { type Values, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import type { EnrolmentName, Family } from './family.ts'

/** The enrolment's values that a reduction stores when the ticket is created. */
export function takenOf(family: Family, enrolment: Values<EnrolmentName>): Record<string, Value> {
  const amounts = family.items.flatMap(({ key, hasCompany, hasPersonal }) => [
    ...(family.base.mode === 'perItem' ? [`${key}Base`] : []),
    ...(hasCompany ? [`${key}Company`] : []),
    ...(hasPersonal ? [`${key}Personal`] : []),
  ])
  const names = [
    'customer',
    'serviceContract',
    'supportStaff',
    'city',
    'policy',
    'account',
    'personalAccountNo',
    ...amounts,
    'companyTotal',
    'personalTotal',
    'total',
    ...(family.base.mode === 'none' ? [] : ['declaredBase']),
    ...(family.base.mode === 'shared' ? ['base'] : []),
  ]
  return {
    ...Object.fromEntries(names.map((name) => [name, valueIn(enrolment, name)])),
    enrolment: enrolment.id ?? null,
    firstMonth: enrolment.startMonth ?? null,
  }
}
