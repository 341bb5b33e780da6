import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { productCatalog } from '../compiledOnce.ts'
import { isLong } from '../long.ts'
import { kinds } from '../../engine/screens/index.ts'
import { compile } from '../../engine/schema/compile.ts'
import { mergePatch } from '../../engine/schema/families/mergePatch.ts'
import { iconNames } from '../../engine/model/icons.ts'
import { newFiles, nextQuestion, refusal } from '../../engine/schema/tools/newFiles.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { holds } from '../../engine/expression/conditions.ts'
import type { FormPlan } from '../../engine/screens/form/form.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { lists } from '../../src/lists.ts'
import { feeItemsOf, type BilledFamily } from '../../src/procedures/settlement/feeItems.ts'
import type { Answers } from '../../engine/schema/tools/Question.ts'

const read = (path: string) => readFileSync(`schemas/${path}`, 'utf8')
interface Family {
  parameters: { items: object[] }
}

/** The issues of a family whose parameters are changed like this. */
function issuesOf(family: string, change: object): string[] {
  const path = `welfare/${family}.family.json`
  const changed = mergePatch(JSON.parse(read(path)) as never, { parameters: change } as never)
  const sources = [
    { path: 'schemas/app.json', text: read('app.json') },
    ...[
      'handling/handling.template',
      'policy/policy.template',
      'social.family',
      'fund.family',
      'socialsecurity.family',
      'medicalinsurance.family',
      'accumulationfund.family',
    ]
      .map((name) => ({ path: `schemas/welfare/${name}.json`, text: read(`welfare/${name}.json`) }))
      .filter((source) => source.path !== `schemas/${path}`),
    { path: `schemas/${path}`, text: JSON.stringify(changed) },
  ]
  return (
    compile(sources, { widgets, kinds, procedures: [] })
      // A clash between two families is reported at one of them, naming the other.
      .issues.filter(({ file, message }) => file === `schemas/${path}` || message.endsWith(`(schemas/${path})`))
      .map(({ code, message }) => `${code}: ${message}`)
  )
}
const item = (family: string, index: number) =>
  (JSON.parse(read(`welfare/${family}.family.json`)) as Family).parameters.items[index]

test.each(['socialsecurity', 'medicalinsurance', 'accumulationfund'])('%s has no issues', (family) => {
  expect(issuesOf(family, {})).toEqual([])
})

test('parameters with a default or of an absent operation may be omitted', () => {
  const absent = {
    pages: { fm: null, supplement: null },
    adjustTypes: null,
    supplementTypes: null,
    supplement: null,
    words: { adjustCn: null, adjustEn: null, supplementCn: null, supplementEn: null },
    badge: { fm: null, supplement: null },
  }
  expect(
    issuesOf('accumulationfund', {
      ...absent,
      maxTotalRate: null,
      eligibility: null,
      settlement: null,
      extraFields: null,
      dicts: null,
      importDiff: null,
    }),
  ).toEqual([])
  const fixed = {
    ...item('socialsecurity', 0),
    amountModes: ['fixed'],
    companyRate: undefined,
    personalRate: undefined,
    companyFixed: '180.00',
  }
  expect(issuesOf('socialsecurity', { ...absent, base: { cn: null, en: null, mode: 'none' }, items: [fixed] })).toEqual(
    [],
  )
})

test.each([
  ['a name', { short: null }, 'missing-key: The key "short" is missing.'],
  [
    'the adjustment types of a family with adjustments',
    { adjustTypes: null },
    'missing-key: The key "adjustTypes" is missing.',
  ],
  [
    'the English title of supplements',
    { words: { supplementEn: null } },
    'missing-key: The key "supplementEn" is missing.',
  ],
  ['the supplement with its late fees', { supplement: null }, 'missing-key: The key "supplement" is missing.'],
  ['the name of a base', { base: { cn: null } }, 'missing-key: The key "cn" is missing.'],
  [
    'the range of a selectable rate',
    { items: [{ ...item('accumulationfund', 0), range: undefined }] },
    'missing-key: The key "range" is missing.',
  ],
  [
    'the month of a yearly item',
    { items: [{ ...item('medicalinsurance', 1), payMonth: undefined }] },
    'missing-key: The key "payMonth" is missing.',
  ],
])('%s is required', (_, change, message) => {
  expect(issuesOf('accumulationfund', change)).toEqual([message])
})

test.each([
  ['an unknown parameter', { colour: 'red' }, 'unknown-key: There is no key "colour" here'],
  ['a rate that is a number', { maxTotalRate: 24 }, 'wrong-type: '],
  ['a family without additions', { additionTypes: [] }, 'too-short: '],
  ['an unknown mode', { base: { mode: 'each' } }, 'not-allowed-value: '],
])('%s is refused', (_, change, message) => {
  const issues = issuesOf('accumulationfund', change)
  expect(issues).toHaveLength(1)
  expect(issues[0].startsWith(message), issues[0]).toBe(true)
})

const fund = (index: number, change: object) => ({ ...item('accumulationfund', index), ...change })
test.each<[string, object, string]>([
  ['a duplicate key', { key: 'socialsecurity' }, 'Another family has the key "socialsecurity"'],
  ['a duplicate prefix', { prefix: 'SS' }, 'Another family has the prefix "SS"'],
  ['a duplicate order', { order: 10 }, 'Another family has the order 10'],
  [
    'a duplicate route',
    { expense: { route: 'socialsecurityexpenses' } },
    'Another family has the route "socialsecurityexpenses"',
  ],
  ['an unknown policy kind', { policyKind: 'pension' }, 'There is no policy kind "pension"'],
  [
    'a required family that does not exist',
    { eligibility: { requiresFamily: 'pension' } },
    'There is no other family "pension"',
  ],
  [
    'a family that requires itself',
    { eligibility: { requiresFamily: 'accumulationfund' } },
    'There is no other family "accumulationfund"',
  ],
  [
    'an item without any part',
    { items: [fund(0, {}), fund(1, { hasCompany: false, hasPersonal: false })] },
    'The item supplementFund has neither a company nor a personal part',
  ],
  [
    'an item of another family',
    { items: [fund(0, {}), fund(1, { key: 'pension' })] },
    'Another family has an item "pension" with a personal part',
  ],
  [
    'a fee item that another family labels differently',
    { items: [fund(0, { feeItem: { value: 'pension', cn: '养老', en: 'Pension' } }), fund(1, {})] },
    'Another item brings the fee item "pension" under another name',
  ],
  [
    'tiers without a default',
    { items: [fund(0, {}), fund(1, { rateModes: ['tier'], tiers: [{ tierCode: 'a', cn: '甲', en: 'A' }] })] },
    'One of the tiers of supplementFund must be the default',
  ],
  [
    'a range without limits',
    { items: [fund(0, { range: { step: '1' } }), fund(1, {})] },
    'The range of fund needs companyMin and companyMax',
  ],
  [
    'a range that ends before it begins',
    { items: [fund(0, { range: { companyMin: '12', companyMax: '5', step: '1' } }), fund(1, {})] },
    'The range of fund ends before it begins',
  ],
  ['a total below the ranges', { maxTotalRate: '20' }, 'The ranges of the items come to more than maxTotalRate 20'],
  [
    'a duplicate source',
    { settlement: { sourceType: 'socialExpense' } },
    'Another family has the source "socialExpense"',
  ],
  [
    'an adjustment of tiers in a family without tiers',
    {
      adjustTypes: [
        { value: 'tier', cn: '档次', en: 'Tier', change: 'tier' },
        { value: 'policy', cn: '政策', en: 'Policy', change: 'base' },
      ],
    },
    'No item has a tier to choose',
  ],
  [
    "adjustments without the system's type",
    { adjustTypes: [{ value: 'annual', cn: '年度', en: 'Yearly', change: 'base' }] },
    'The type "policy" is missing, which the system makes when a policy changes',
  ],
  [
    'a yearly import without its page',
    {
      pages: {
        fm: ['importrecords', 'importTiaoJiRecords', 'importTiaoJiStatusRecords', 'detailList', 'handledetailList'],
      },
    },
    'importrecords and changebase belong together',
  ],
  [
    'adjustments without details',
    { pages: { fm: ['changebase', 'importrecords', 'importTiaoJiRecords'] } },
    'A page of import records and detailList belong together',
  ],
  [
    'results of adjustments without details',
    { pages: { fm: ['changebase', 'importrecords', 'importTiaoJiStatusRecords', 'detailList'] } },
    'importTiaoJiStatusRecords and handledetailList belong together',
  ],
  [
    'additions without details',
    { pages: { additionalstaff: ['importrecords'] } },
    'importrecords and detailList belong together',
  ],
  [
    'results of reductions without details',
    { pages: { personnelreduction: ['importhandle'] } },
    'importhandle and handledetailList belong together',
  ],
  [
    'an extra column for an import that the family lacks',
    { importDiff: [{ kinds: ['accumulationfundBigTabel'] }] },
    'An import of importDiff is none of this family',
  ],
  [
    'the table of back-payments alone',
    { expense: { masks: [2] } },
    'The back-payment table 2 comes with the table 1 only',
  ],
])('%s is refused, at its line', (_, change, message) => {
  expect(issuesOf('accumulationfund', change).map((issue) => issue.replace(/\. \(schemas.*$/, ''))).toContain(
    `family-rule: ${message}`,
  )
})

test('without a base only fixed amounts are allowed, and no adjustments of the base', () => {
  const issues = issuesOf('socialsecurity', { base: { cn: null, en: null, mode: 'none' } })
  expect(issues.filter((issue) => issue.includes('base.mode is none: pension may be a fixed amount only'))).not.toEqual(
    [],
  )
  expect(issues.filter((issue) => issue.includes('base.mode is none: annual has no base to change'))).not.toEqual([])
})

test('a leave reason is mapped to one reason of the family', () => {
  const reason = (value: string) => ({ value, cn: value, en: value, leaveReasons: ['death'] })
  expect(issuesOf('accumulationfund', { reductionReasons: [reason('a'), reason('b')] })[0]).toContain(
    'death is mapped to b too',
  )
})

test('settlement has the fee items and sources of families, and procedures know their columns', () => {
  const catalog = productCatalog()
  const values = (name: string) => catalog.dictionaries[name].choices.map(({ value }) => value)
  for (const [item, category] of [
    ['pension', 'social'],
    ['maternity', 'social'],
    ['medicalBasic', 'medical'],
    ['housingFundExtra', 'fund'],
  ] as const) {
    expect(values('feeItem')).toContain(item)
    expect(feeItemsOf(catalog.families.handling as unknown as BilledFamily[]).get(item)).toBe(category)
  }
  expect(values('sourceType')).toEqual(
    expect.arrayContaining(['payroll', 'socialExpense', 'medicalExpense', 'fundExpense', 'manual']),
  )
})

test('a family has one of the existing icons', () => {
  const { parameters } = JSON.parse(readFileSync('schemas/welfare/handling/handling.template.json', 'utf8')) as {
    parameters: { properties: { icon: { known: string[]; fallback: string } } }
  }
  expect(parameters.properties.icon.known).toEqual(iconNames)
  expect(iconNames).toContain(parameters.properties.icon.fallback)
})

test.skipIf(!isLong)('the smallest family that the command creates has no issues, and comes after the others', () => {
  const all = readSchemas('schemas')
  const ground = { catalog: productCatalog(), sources: all, lists }
  const given: Record<string, string> = {
    template: 'handling',
    name: 'annuity',
    key: 'annuity',
    prefix: 'AN',
    icon: 'star',
    policyKind: 'fund',
    'account-personalPattern': '^[0-9]{8}$',
    'items-key': 'annuityPlan',
    'items-feeItem': '{ "value": "annuity", "cn": "年金", "en": "Annuity" }',
    'additionTypes-value': 'new',
    'reductionReasons-value': 'left',
    'expense-route': 'annuityexpenses',
    'expense-tolerance': '0.10',
  }
  let answers: Answers = {}
  for (
    let question = nextQuestion('family', answers, ground);
    question;
    question = nextQuestion('family', answers, ground)
  ) {
    const answer = given[question.name.replace('parameter-', '')] ?? question.suggested ?? '年金'
    expect(refusal(question, answer), question.name).toBeUndefined()
    answers = { ...answers, [question.name]: answer }
  }
  const [made] = newFiles('family', answers, ground)
  const { catalog, issues } = compile([...all, { path: `schemas/${made.path}`, text: made.text }], lists)
  expect(issues).toEqual([])
  expect(catalog!.families.handling.map(({ key }) => key).at(-1)).toBe('annuity')
  expect(catalog!.entities.annuityAddition.fields.annuityPlanCompany).toBeDefined()
})

test('for a new family, names are prompted for before keys, with suggestions and existing choices', () => {
  const all = readSchemas('schemas')
  const ground = { catalog: productCatalog(), sources: all, lists }
  const prompted: string[] = []
  let answers: Answers = { template: 'handling', name: 'meal', 'parameter-cn': '餐补', 'parameter-en': 'Meal money' }
  const seen: Record<string, ReturnType<typeof nextQuestion>> = {}
  for (let question = nextQuestion('family', answers, ground); question;) {
    prompted.push(question.name)
    seen[question.name] = question
    answers = {
      ...answers,
      [question.name]: question.suggested ?? (question.name.endsWith('-en') ? 'Meal part' : '餐'),
    }
    question = nextQuestion('family', answers, ground)
  }
  expect(seen['parameter-key']!.suggested).toBe('mealmoney')
  expect(seen['parameter-prefix']!.suggested).toBe('MM')
  expect(seen['parameter-policyKind']!.choices).toEqual(['social', 'fund'])
  expect(seen['parameter-icon']!.choices).toEqual(iconNames)
  expect(prompted.indexOf('parameter-items-en')).toBeLessThan(prompted.indexOf('parameter-items-key'))
  expect(seen['parameter-items-key']!.suggested).toBe('mealPart')
  expect(seen['parameter-items-feeItem']!.text).toContain('commercialInsurance')
})

test('a form shows a notice if a base other than the declared one is used, except for rounding', () => {
  const catalog = productCatalog()
  const whenOf = (screen: string) =>
    Object.values(catalog.screens[screen].variants!.plans).map(
      ({ body }) => (body as unknown as FormPlan).notices[0].when,
    )
  const holdsOf = (entity: string, values: RecordData) =>
    whenOf(`${entity}.form`).map((when) =>
      holds(when, false, catalog.entities[entity], values, {
        widgets,
        entities: catalog.entities,
        dictionary: (name) => catalog.dictionaries[name],
        now: () => '2026-03-15 09:00:00',
      }),
    )
  expect(
    holdsOf('socialsecurityAddition', { declaredBase: '5000.00', pensionBase: '6821.00', unemploymentBase: '5000.00' }),
  ).toEqual([true, true])
  expect(
    holdsOf('socialsecurityAddition', { declaredBase: '8000.40', pensionBase: '8000.00', unemploymentBase: null }),
  ).toEqual([false, false])
  expect(holdsOf('accumulationfundAdjustment', { newBase: '40000.00', base: '35283.00' })).toEqual([true, true])
  expect(
    holdsOf('accumulationfundAdjustment', { newBase: null, base: '35283.00' }),
    'a rate alone is adjusted',
  ).toEqual([false, false])
})
