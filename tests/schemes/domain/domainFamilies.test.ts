/** A family file valid by the domain's rules (part 2, 4.1) has no issue; parameters without effect give warnings. */
import { expect, test } from 'vitest'
import { isLong } from '../../long.ts'
import { compileWithWarnings } from '../../../engine/schema/compile.ts'
import type { Value } from '../../../engine/model/model.ts'
import { mergePatch } from '../../../engine/schema/families/mergePatch.ts'
import type { JsonObject } from '../../../engine/schema/walk.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../../src/lists.ts'
import { domainFamilies } from './domainFamilies.ts'

const product = readSchemas('schemas')
const pathOf = (family: string) => `schemas/welfare/${family}.family.json`

/** Compiles the product with these families instead of its own. */
function compiled(changes: Partial<Record<keyof typeof domainFamilies, JsonObject>> = {}, top: JsonObject = {}) {
  const files = Object.entries(domainFamilies).map(([family, parameters]) => ({
    path: pathOf(family),
    text: JSON.stringify(
      {
        template: 'handling',
        ...top,
        parameters: mergePatch(parameters as Value, (changes[family as keyof typeof domainFamilies] ?? {}) as Value),
      },
      null,
      2,
    ),
  }))
  const others = product.filter(({ path }) => files.every((file) => file.path !== path))
  const { issues, warnings, catalog } = compileWithWarnings([...others, ...files], lists)
  const textsOf = (all: typeof issues) =>
    all.map(({ file, code, message }) => `${file.split('/').at(-1)} ${code}: ${message.split('. (')[0]}`).sort()
  return { issues: textsOf(issues), warnings: textsOf(warnings), catalog }
}

test("the domain's three families compile as its tables state them", () => {
  const { issues, warnings, catalog } = compiled()
  expect([issues, warnings]).toEqual([[], []])
  expect(catalog!.families.handling.map(({ key, items }) => [key, (items as Value[]).length])).toEqual([
    ['socialsecurity', 4],
    ['medicalinsurance', 3],
    ['accumulationfund', 2],
  ])
})

test('parameters of an absent operation are allowed, with a warning at their lines', () => {
  const idle = (family: string, keys: string[], page: string) =>
    keys.map((key) => `${family}.family.json idle-parameter: ${key} has no effect: pages has no ${page}`)
  const without = (...pages: string[]) => ({ pages: Object.fromEntries(pages.map((page) => [page, null])) })
  const { issues, warnings } = compiled({
    socialsecurity: without('fm'),
    medicalinsurance: without('supplement'),
    accumulationfund: without('fm', 'supplement'),
  })
  expect(issues).toEqual([])
  const ofFm = ['adjustTypes', 'badge.fm', 'words.adjustCn']
  const ofBackPayment = ['badge.supplement', 'supplement', 'supplementTypes', 'words.supplementCn']
  expect(warnings).toEqual(
    [
      ...idle('socialsecurity', ofFm, 'fm'),
      ...idle('medicalinsurance', ofBackPayment, 'supplement'),
      ...idle('accumulationfund', ofFm, 'fm'),
      ...idle('accumulationfund', ofBackPayment, 'supplement'),
    ].sort(),
  )
})

test.skipIf(!isLong)('without a base, its name and the rates of fixed amounts are allowed, with a warning', () => {
  const items = (domainFamilies.socialsecurity.items as JsonObject[]).map((item) => ({
    ...item,
    amountModes: ['fixed'],
    companyFixed: '10.00',
  }))
  const { issues, warnings } = compiled({
    socialsecurity: { base: { mode: 'none' }, items, maxTotalRate: '10', ...absentAdjustments, importDiff: null },
  })
  expect(issues).toEqual([])
  expect(warnings).toContain(
    'socialsecurity.family.json idle-parameter: The name of the base has no effect: base.mode is none',
  )
  expect(warnings).toContain(
    'socialsecurity.family.json idle-parameter: maxTotalRate has no effect: no item has a rate that is chosen',
  )
  expect(warnings).toContain(
    'socialsecurity.family.json idle-parameter: companyRate of pension has no effect: the amounts are fixed',
  )
})
const absentAdjustments = {
  pages: { fm: null },
  adjustTypes: null,
  words: { adjustCn: null, adjustEn: null },
  badge: { fm: null },
}

test.skipIf(!isLong)('an extra field on an absent operation is allowed, with a warning', () => {
  const [field, ...others] = domainFamilies.accumulationfund.extraFields as JsonObject[]
  const extraFields = [{ ...field, on: ['addition', 'enrolment', 'adjustment'] }, ...others]
  const { issues, warnings } = compiled({ accumulationfund: { extraFields, ...absentAdjustments } })
  expect([issues, warnings]).toEqual([
    [],
    ['accumulationfund.family.json idle-parameter: depositBank is on an operation that the family does not have'],
  ])
})

test('a reason silences a warning of an idle parameter', () => {
  const change = { socialsecurity: { pages: { fm: null } } }
  const reason = (place: string) => ({ meant: { 'idle-parameter': { [place]: 'adjustments begin next year' } } })
  expect(compiled(change, reason('.')).warnings).toEqual([
    'accumulationfund.family.json idle-reason: There is no such warning here: remove the reason for ".".',
    'medicalinsurance.family.json idle-reason: There is no such warning here: remove the reason for ".".',
  ])
  expect(compiled(change, reason('parameters.adjustTypes')).warnings).toContain(
    'socialsecurity.family.json idle-parameter: badge.fm has no effect: pages has no fm',
  )
})
