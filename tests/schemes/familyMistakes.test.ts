/** An issue of a family's file is reported once, at its own line, even among all files of the product. */
import { expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { compile, compileWithWarnings } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { lists } from '../../src/lists.ts'
import { aboutNobody } from '../../src/procedures/welfare/about.ts'
import { monthly } from '../../src/procedures/welfare/handling/amounts.ts'
import type { Family } from '../../src/procedures/welfare/handling/family.ts'
import { schemeFiles } from './schemeHouse.ts'

const product = readSchemas('schemas')
const fileOf = (name: string) => schemeFiles.find(({ path }) => path.endsWith(`/${name}.family.json`))!
const [guildcare, berthreserve] = ['guildcare', 'berthreserve'].map(fileOf)

function compiledWith(from: string, to: string, file = guildcare) {
  const changed = { ...file, text: file.text.replace(from, to) }
  return compile([...product, ...schemeFiles.map((each) => (each === file ? changed : each))], lists)
}

/** Every third one in the short form. */
const some = <T>(all: readonly T[]): readonly T[] => (isLong ? all : all.filter((_, place) => place % 3 === 0))

/** Names that must differ between families. */
const own = /guildcare|guildAccident|guildDues|guildHospital|berthreserve|berthSaving|berthRisk|berthPilot/g
/** The family under another name, so that many can be compiled together. */
function copyOf({ path, text }: typeof guildcare, count: number) {
  const letter = String.fromCharCode(97 + count)
  const named = (from: string) => from.replaceAll(own, (name) => `${name}${letter}`)
  const prefixed = text.replace(/"prefix": "\w+"/, `"prefix": "Z${letter.toUpperCase()}"`)
  const ordered = prefixed.replace(/"order": \d+/, `"order": ${400 + count}`)
  const called = ordered.replace(/("(?:cn|en)": ")([^"]+)",(?=\s+"(?:en|short)":)/g, `$1$2 ${letter}",`)
  return { path: named(path), text: named(called) }
}

/**
 * Puts each mistake into a family of its own and compiles all at once; their issues stay apart.
 * @returns for each mistake the issues of its family's file
 */
function issuesApart(mistakes: readonly (readonly [from: string, to: string])[], source = guildcare): string[][] {
  const copies = mistakes.map(([from, to], count) => {
    expect(source.text).toContain(from)
    return copyOf({ ...source, text: source.text.replace(from, to) }, count)
  })
  const { issues } = compile([...product, ...schemeFiles.filter((each) => each !== source), ...copies], lists)
  expect(issues.filter(({ file }) => !copies.some(({ path }) => path === file))).toEqual([])
  return copies.map(({ path }) =>
    issues
      .filter(({ file }) => file === path)
      .map(({ code, message, excerpt }) =>
        `${code}: ${message} | ${excerpt.trim()}`.replaceAll(new RegExp(`(${own.source})[a-z]`, 'g'), '$1'),
      ),
  )
}

/** Replaces a text of the file. @returns the issues, each with the quoted line */
function issuesOf(from: string, to: string, source = guildcare): string[] {
  expect(source.text).toContain(from)
  return compiledWith(from, to, source).issues.map(
    ({ file, code, message, excerpt }) => `${file.split('/').at(-1)} ${code}: ${message} | ${excerpt.trim()}`,
  )
}

const refused: [what: string, from: string, to: string, message: string][] = [
  ['an unknown word', 'mustBe=true', 'foo=bar', 'There is no rule "foo" of an extra field'],
  ['a word that says nothing', 'mustBe=true', 'mustBe=', 'The rule "mustBe" of consent says nothing'],
  ['a word twice', 'mustBe=true', 'mustBe=true; mustBe=false', 'The rule "mustBe" of consent is there twice'],
  ['a limit that is no number', 'max=20;', 'max=many;', 'max of newGuild is no number: "many"'],
  ['a word for another type', 'mustBe=true', 'min=3', 'min is not for consent, a field of the type boolean'],
  [
    'a pattern of what is no text',
    'mustBe=true',
    'pattern=^x$',
    'pattern is for texts, and consent has the type boolean',
  ],
  ['a date after what is none', 'notAfter=startMonth', 'notAfter=consent', 'consent is neither a date nor a month'],
  ['a date after itself', 'notAfter=startMonth', 'notAfter=signedOn', 'notAfter of signedOn names the field itself'],
  [
    'what is there only if it is there',
    'onlyIf additionType=return',
    'onlyIf formerNo=x',
    'onlyIf of formerNo names the field itself',
  ],
  [
    'a year of what is not paid every month',
    '"hasPersonal": false,',
    '"hasPersonal": false, "company": "companyFixed - companySoFar",',
    'guildAccident goes by the year so far: it is paid every month',
  ],
  [
    'the bases of a year where there are none',
    '"hasCompany": false,',
    '"hasCompany": false, "personal": "personalFixed - baseSoFar",',
    'guildDues asks for baseSoFar: that needs base.mode perItem',
  ],
  [
    'a headcount of what is not paid every month',
    '"hasPersonal": false,',
    '"hasPersonal": false, "company": "headcount * companyFixed",',
    'guildAccident goes by the headcount: it is paid every month',
  ],
  [
    'wages of the year before for what is not paid every month',
    '"hasPersonal": false,',
    '"hasPersonal": false, "company": "averageWage * 0.1",',
    'guildAccident goes by averageWage: it is paid every month',
  ],
  [
    'less that belongs to the person after more years',
    '"hasPersonal": false,',
    '"hasPersonal": false, "vesting": [{ "years": 2, "percent": "60" }, { "years": 3, "percent": "40" }],',
    'The vesting table of guildAccident must rise with the years',
  ],
  [
    'a headcount beside the year so far',
    '"hasCompany": false,',
    '"hasCompany": false, "personal": "headcount - personalSoFar",',
    'guildDues goes by the headcount: no item of the family may go by the year so far',
  ],
  [
    'a condition without a value',
    'onlyIf additionType=return',
    'onlyIf additionType',
    'onlyIf asks a field for a value',
  ],
  ['a key that the ticket has', '"key": "signedOn"', '"key": "startMonth"', '"startMonth" is a field of its own there'],
  ['neither yes nor no', 'mustBe=true', 'mustBe=ja', 'mustBe of consent is neither true nor false: "ja"'],
  ['a default that is neither', 'mustBe=true', 'default=ja', 'default of consent is neither true nor false: "ja"'],
  ['an item twice', '"key": "guildHospital"', '"key": "guildAccident"', 'Two items have the key "guildAccident"'],
  [
    'a tier of an item without rates that says only a rate',
    '"companyFixed": "240.00", "personalFixed": "120.00"',
    '"companyRate": "2"',
    'A tier of guildHospital says a rate, and the item has fixed amounts only',
  ],
  [
    'bands that begin nowhere',
    '"rateModes": ["tier"],',
    '"rateModes": ["band"], "bandBy": "age",',
    'Each band of guildHospital must say where it begins',
  ],
]
const refusedWithBases: [what: string, from: string, to: string, message: string][] = [
  [
    'two waiting times',
    '"minServiceMonths": 3',
    '"minServiceMonths": 3, "minServiceDays": 90',
    'The waiting time is either in months or in days: minServiceMonths is 3',
  ],
  ['limits that cross', 'min=5; max=60', 'min=60; max=5', 'max of shareRate is less than min: "5"'],
  ['a number that is none', 'default=25;', 'mustBe=many;', 'mustBe of shareRate is no number: "many"'],
  [
    'a usual rate off the range',
    '"companyRate": "6"',
    '"companyRate": "49"',
    'companyRate of berthSaving is outside its range',
  ],
  [
    'other limits on one base',
    '"key": "berthRisk",',
    '"key": "berthRisk", "cap": "baseCeiling * 2",',
    'base.mode is shared: all items need the same floor and cap',
  ],
]
test.each([
  ['a family without bases', guildcare, refused],
  ['a family with bases', berthreserve, refusedWithBases],
] as const)("each mistake of %s is refused at the family's line", (_, file, all) => {
  const mistakes = some(all)
  const reported = issuesApart(
    mistakes.map(([, from, to]) => [from, to]),
    file,
  )
  for (const [index, [what, , , message]] of mistakes.entries())
    expect(reported[index], what).toEqual([expect.stringContaining(message)])
  for (const [issue] of reported) expect(issue).toMatch(/^family-rule: /)
})

test.skipIf(!isLong)('white space around a rule word is ignored, and a text may contain any character', () => {
  expect(issuesOf('mustBe=true', 'mustBe = true')).toEqual([])
  const made = compiledWith('"type": "text", "required": "onSuccess"', `"type": "text", "rules": "mustBe=O'Hara"`)
  expect(made.issues).toEqual([])
  expect(made.catalog!.entities.guildcareAddition.rules.map(({ check }) => check)).toContain("registerNo == 'O\\'Hara'")
})

/** Found in the files that the family generates. */
const unknown: [what: string, from: string, to: string, code: string, found: string][] = [
  ['a dictionary', 'enum(Group)', 'enum(Groop)', 'unknown-dictionary', 'enum(Groop)'],
  ['an entity', '"type": "text", "required": "onSuccess"', '"type": "reference(persn)"', 'unknown-entity', 'persn'],
  [
    'a field of a condition',
    'onlyIf reductionReason=handedOver',
    'onlyIf reasonn=handedOver',
    'unknown-name',
    'reasonn',
  ],
  ['a field to compare with', 'notAfter=startMonth', 'notAfter=startMont', 'unknown-name', 'startMont'],
  ['a value that must be', '"enum(Group)",', '"enum(Group)", "rules": "mustBe=hill",', 'unknown-choice', 'hill'],
  ['a day', 'notAfter=startMonth', 'min=soon', 'wrong-pattern', '"soon"'],
  ['a default', '"notAfter=startMonth"', '"default=soon"', 'invalid-value', '"soon"'],
  [
    'what must be and never may',
    '"pattern=^M[0-9]{6}$; ',
    '"pattern=^M[0-9]{6}$; mustBe=X1; ',
    'invalid-value',
    'does not accept "X1"',
  ],
  [
    'what must be and is too long',
    'max=20; ',
    'max=20; mustBe=a guild of a very long name; ',
    'invalid-value',
    'does not accept "a guild of a very long name"',
  ],
  ['a reason for leaving', '"customerEnd"', '"customerEnds"', 'unknown-choice', 'customerEnds'],
  ['a pattern', 'pattern=^M[0-9]{6}$;', 'pattern=^M[0-9$;', 'invalid-pattern', '^M[0-9$'],
]
/** Found earlier, in the family file itself and in what all families share. */
const unknownBefore: [what: string, from: string, to: string, code: string, found: string][] = [
  ['a name of a formula', '"hasPersonal": false,', '"company": "companyFixd * 2",', 'unknown-name', 'companyFixd'],
  ['a name of a refund', '"hasPersonal": false,', '"refund": "unusedMonth * 2",', 'unknown-name', 'unusedMonth'],
  ['an amount of a formula', '"hasPersonal": false,', '"company": "base > 2",', 'expression-type', 'must be a number'],
  ['a way to round', '"hasPersonal": false,', '"companyRound": "halfUpTo50",', 'unknown-choice', '"halfUpTo50"'],
  ['a fee item', '"feeItem": "commercialInsurance"', '"feeItem": "commercial"', 'unknown-choice', '"commercial"'],
  ['a number of the form', '"personalRequired"', '"personalSample": "X1", "personalRequired"', 'wrong-pattern', '"X1"'],
  ['one value', '"additionType=return"', '"additionType==return"', 'family-rule', 'field=value'],
  [
    'a name of who is kept out',
    '"rateModes": ["tier"],',
    '"rateModes": ["tier"], "eligible": "agee >= 18",',
    'unknown-name',
    'agee',
  ],
  [
    'what a later item comes to',
    '"rateModes": ["tier"],',
    '"rateModes": ["tier"], "eligible": "guildAccidentCompany > 0 && guildDuesPersonal > 0",',
    'unknown-name',
    'guildDuesPersonal',
  ],
  [
    'what it comes to itself',
    '"rateModes": ["tier"],',
    '"rateModes": ["tier"], "company": "guildHospitalBase * 2",',
    'unknown-name',
    'guildHospitalBase',
  ],
  [
    'what keeps out by a number',
    '"rateModes": ["tier"],',
    '"rateModes": ["tier"], "eligible": "age + 18",',
    'expression-type',
    'must be true or false, but it is a number',
  ],
]
test.each([
  ["the family's own files", unknown],
  ['the shared files', unknownBefore],
])('an unknown name is reported once, at the family and not at the template: in %s', (_, all) => {
  const mistakes = some(all)
  const reported = issuesApart(mistakes.map(([, from, to]) => [from, to]))
  for (const [index, [what, , , code]] of mistakes.entries())
    expect(reported[index], what).toEqual([expect.stringMatching(new RegExp(`^${code}: `))])
  expect(mistakes.filter(([, , , , found], index) => !reported[index][0].includes(found))).toEqual([])
})

test.skipIf(!isLong)('an existing fee item may be named again, but not with another label', () => {
  const from = '"feeItem": "commercialInsurance"'
  const own = '{ "value": "commercialInsurance", "cn": "商业保险", "en":'
  const { catalog, issues } = compiledWith(from, `"feeItem": ${own} "Commercial insurance" }`)
  expect(issues).toEqual([])
  expect(catalog!.families.handling.find(({ key }) => key === 'guildcare')!.items).toMatchObject([
    { feeItem: 'commercialInsurance' },
    {},
    {},
  ])
  const found = compiledWith(from, `"feeItem": ${own} "Something else" }`).issues
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({ code: 'family-rule', file: 'schemas/welfare/guildcare.family.json' })
  expect(found[0].message).toContain('feeItem has "commercialInsurance" already, called 商业保险, Commercial insurance')
})

test.skipIf(!isLong)('a clash between two families is reported once, at one of them, naming the other', () => {
  const twin = { path: guildcare.path.replace('guildcare', 'guildtwin'), text: guildcare.text }
  const withTwin = compileWithWarnings([...product, ...schemeFiles, twin], lists)
  const all = ({ issues, warnings }: typeof withTwin) => [...issues, ...warnings]
  expect(all(withTwin).map(({ file, message }) => [file.split('/').at(-1), message])).toEqual([
    ['guildtwin.family.json', `Another family has the key "guildcare". (${guildcare.path})`],
  ])

  // The family whose key matches its file name is not the mistaken one.
  const renamed = compiledWith('"key": "guildcare"', '"key": "berthreserve"')
  expect(renamed.issues.map(({ file, message }) => [file.split('/').at(-1), message])).toEqual([
    ['guildcare.family.json', `Another family has the key "berthreserve". (${berthreserve.path})`],
  ])
})

test.skipIf(!isLong)('a field label without a language is reported at the entity, not again at its import', () => {
  const changed = product.map(({ path, text }) => ({
    path,
    text: path.endsWith('/payrollLine.entity.json') ? text.replace('"en": "Remark"', '"en": ""') : text,
  }))
  expect(compile(changed, lists).issues.map(({ file, code }) => [file.split('/').at(-1), code])).toEqual([
    ['payrollLine.entity.json', 'empty-label'],
  ])
})

test.skipIf(!isLong)('the area of a template is reported at the template', () => {
  const changed = product.map(({ path, text }) => ({
    path,
    text: path.endsWith('policy.template.json') ? text.replace('"area": "welfare"', '"area": "wellfare"') : text,
  }))
  expect(compile(changed, lists).issues.map(({ file, code }) => [file.split('/').at(-1), code])).toEqual([
    ['policy.template.json', 'unknown-area'],
  ])
})

test.skipIf(!isLong)(
  'of two templates with one name only the misplaced one is reported, without follow-up issues',
  () => {
    const policy = product.find(({ path }) => path.endsWith('/policy.template.json'))!
    const copy = { path: policy.path.replace('/policy/', '/other/'), text: policy.text }
    const { issues } = compile([copy, ...product], lists)
    expect(issues.map(({ file, message }) => [file, message])).toEqual([
      [copy.path, `There is another template named "policy". (${policy.path})`],
    ])
  },
)

test('a formula in the file determines the monthly cost', () => {
  const { catalog } = compiledWith('"hasPersonal": false,', '"hasPersonal": false, "company": "companyFixed / 7",')
  const family = catalog!.families.handling.find(({ key }) => key === 'guildcare') as unknown as Family
  const guildcareItems = catalog!.entities.policy.fields.guildcareItems.default
  const policy = { guildcareItems } as Parameters<typeof monthly>[1]
  expect(monthly(family, policy, {}, {}, aboutNobody).guildAccident).toEqual({
    base: null,
    company: '257.14',
    personal: '0.00',
  })
})

test.skipIf(!isLong)('an operation needs at least one page', () => {
  const issues = issuesOf('"fm": ["changebase", "importrecords", "detailList"]', '"fm": []', berthreserve)
  expect(issues, issues.join('\n')).toHaveLength(1)
  expect(issues[0]).toContain('berthreserve.family.json too-short: At least 1')
})

test.skipIf(!isLong)('items on a shared base cannot use the year so far', () => {
  const ofYear = issuesOf(
    '"key": "berthRisk",',
    '"key": "berthRisk", "cap": "baseCeiling - companySoFar",',
    berthreserve,
  )
  expect(ofYear.join()).toContain('base.mode is shared: floor and cap of berthRisk cannot go by the year so far')
})

test('a patch of a file that the family does not generate is reported', () => {
  const issues = issuesOf(
    '"template": "handling",',
    '"template": "handling", "patch": { "additon.list": { "sort": "id" } },',
  )
  expect(issues, issues.join('\n')).toHaveLength(1)
  expect(issues[0]).toContain(
    'guildcare.family.json unknown-generated-file: The family does not generate a file "additon.list"',
  )
})

/**
 * Replaces texts in several files. @returns all issues and warnings, which have the one code, as file, message and line
 */
function issuesOfAll(changes: Record<string, [from: string, to: string][]>, only = 'family-rule'): string[] {
  const changed = schemeFiles.map((each) => {
    const name = each.path.split('/').at(-1)!.split('.')[0]
    const text = (changes[name] ?? []).reduce((before, [from, to]) => {
      expect(before).toContain(from)
      return before.replace(from, to)
    }, each.text)
    return { ...each, text }
  })
  const { issues, warnings } = compileWithWarnings([...product, ...changed], lists)
  return [...issues, ...warnings]
    .map(({ file, code, message, excerpt }) => {
      expect(code, message).toBe(only)
      return `${file.split('/').at(-1)!.split('.')[0]}: ${message.split('. (')[0]} | ${excerpt.trim().slice(0, 16)}`
    })
    .sort()
}
/** A replacement that adds further lines after a text. */
const more = (from: string, ...added: string[]): [from: string, to: string] => [from, [from, ...added].join('\n')]

test.skipIf(!isLong)('parameters without effect give warnings at their lines, in items and beside them', () => {
  const range = '"companyMin": "1", "companyMax": "2", "personalMin": "1", "personalMax": "2", "step": "1"'
  expect(
    issuesOfAll(
      {
        guildcare: [
          more('"hasPersonal": false,', '"personalFixed": "5.00",', '"companyRate": "5",', '"cap": "5",'),
          ['"rateModes": ["tier"],', `"rateModes": ["tier", "range"], "range": { ${range} },`],
          more('"isDefault": true', ', "from": "10"'),
          more(
            '"personalFixed": "5.00",\n        "hasCompany": false,',
            '"company": "5",',
            '"payMonth": 1,',
            '"refund": "9",',
          ),
          more(
            '"refund": "9",',
            '"bandBy": "age",',
            '"sameRate": true,',
            `"range": { ${range} },`,
            '"taxCapRate": "8",',
          ),
          more('"taxCapRate": "8",', '"tiers": [{ "tierCode": "a", "cn": "甲", "en": "A" }],'),
          more('"base": { "mode": "none"', ', "cn": "基数", "en": "Base"'),
          more('"policyKind": "guild",', '"supplementTypes": [{ "value": "missed", "cn": "漏缴", "en": "Missed" }],'),
          more('"badge": {', '"fm": true,'),
          ['"on": ["addition"], "key": "registerNo"', '"on": ["addition", "supplement"], "key": "registerNo"'],
        ],
        berthreserve: [
          more('"key": "berthPilot",', '"companyFixed": "3.00",', '"negative": true,', '"companyRate": "400",'),
          ['"companyRate": "0.5",', '"companyRate": "0.005",'],
        ],
        guild: [more('"nationwide": true,', '"floorFrom": "minWage",')],
      },
      'idle-parameter',
    ),
  ).toEqual([
    'berthreserve: companyFixed of berthPilot has no effect: amountModes has neither fixed nor both | "companyFixed": ',
    'berthreserve: companyRate of berthPilot is more than the whole base: rates are written in points, as 6 for 6% | "companyRate": "',
    'berthreserve: companyRate of berthRisk is 0.005%: rates are written in points, as 6 for 6% | "companyRate": "',
    'berthreserve: negative of berthPilot has no effect: neither company nor personal is a formula | "negative": true',
    'guild: floorFrom has no effect: limits are proposed by avgMonthlyWage, which is hidden | "floorFrom": "mi',
    'guildcare: A range of guildHospital has no effect: the amounts are fixed | "rateModes": ["t',
    'guildcare: A tier of guildHospital says where it begins, and rateModes has no band | "tiers": [',
    'guildcare: The name of the base has no effect: base.mode is none | "base": { "mode"',
    'guildcare: badge.fm has no effect: pages has no fm | "fm": true, "add',
    'guildcare: bandBy of guildDues has no effect: rateModes has no band | "bandBy": "age",',
    'guildcare: cap of guildAccident has no effect: the amounts are fixed | "cap": "5",',
    'guildcare: company of guildDues has no effect: hasCompany is false | "company": "5",',
    'guildcare: companyRate of guildAccident has no effect: the amounts are fixed | "companyRate": "',
    'guildcare: payMonth of guildDues has no effect: nothing is paid for several months at once | "payMonth": 1,',
    'guildcare: personalFixed of guildAccident has no effect: hasPersonal is false | "personalFixed":',
    'guildcare: range of guildDues has no effect: rateModes has no range | "range": { "comp',
    'guildcare: refund of guildDues has no effect: nothing is paid for several months at once | "refund": "9",',
    'guildcare: registerNo is on an operation that the family does not have | { "on": ["additi',
    'guildcare: sameRate of guildDues has no effect: rateModes has no range | "sameRate": true',
    'guildcare: supplementTypes has no effect: pages has no supplement | "supplementTypes',
    'guildcare: taxCapRate of guildDues has no effect: taxClass is none | "taxCapRate": "8',
    'guildcare: tiers of guildDues has no effect: rateModes has neither tier nor band | "tiers": [{ "tie',
  ])
})

test('contradictions are refused', () => {
  expect(
    issuesOfAll({
      guildcare: [
        ['notAfter=startMonth', 'min=2026-01-01; mustBe=2025-12-31'],
        ['"required": "additionType=return"', '"required": "additionType=join"'],
        [
          '"handedOver", "cn": "转会", "en": "Handed over", "leaveReasons": ["',
          '"handedOver", "cn": "转会", "en": "Handed over", "leaveReasons": ["other", "',
        ],
        ['"key": "newGuild"', '"key": "returnedCard"'],
        ['"type": "text", "required": "onSuccess"', '"type": "date[]", "required": "onSuccess"'],
        more('"hasCompany": false,', '"personal": "attendedDays * personalFixed",'),
        more('"hasPersonal": false,', '"company": "additionalWages * companyFixed",'),
        more('"policyKind": "guild",', '"monthInputs": ["additionalWages"],'),
        more('"personalFixed": "0.00"', ', "isDefault": true'),
      ],
      berthreserve: [
        ['default=25; min=5; max=60', 'mustBe=70; min=5; max=60'],
        ['"rateModes": ["tier"],', '"rateModes": ["tier", "band"], "bandBy": "age",'],
        more('"companyRate": "0.5",', '"floor": "20000", "cap": "3500",'),
      ],
    }),
  ).toEqual([
    'berthreserve: Each band of berthPilot must say where it begins, and no two at the same number | "tiers": [',
    'berthreserve: No base is between the floor 20000 and the cap 3500 of berthRisk | "floor": "20000"',
    'berthreserve: The tiers of berthPilot are either chosen or bands | "rateModes": ["t',
    'berthreserve: base.mode is shared: all items need the same floor and cap | "items": [',
    'berthreserve: mustBe of shareRate is outside its min and max: "70" | "rules": "mustBe',
    'guildcare: Another extra field on the same has the key "returnedCard" | "key": "returned',
    'guildcare: Another extra field on the same has the key "returnedCard" | "key": "returned',
    'guildcare: There are no lists of date | { "on": ["additi',
    'guildcare: Two tiers of guildHospital are the default | "tiers": [',
    'guildcare: formerNo is required where it is not there: onlyIf additionType=return | "required": "add',
    'guildcare: guildAccident goes by what is entered for a month: it is paid every month | "payCycles": ["y',
    'guildcare: guildDues asks for attendedDays: monthInputs must have it | "key": "guildDue',
    'guildcare: mustBe of signedOn is outside its min and max: "2025-12-31" | { "on": ["additi',
    'guildcare: other is mapped to handedOver too | { "value": "left',
    'guildcare: other is mapped to left too | { "value": "hand',
  ])
})

test.skipIf(!isLong)('a policy kind cannot hide fields that its families need', () => {
  const hidden = '"hiddenFields": ["city", "payDay", "baseAdjustMonth", "supplementAllowed", "supplementMaxMonths"]'
  expect(
    issuesOfAll({
      berth: [more('"floorFrom": "minWage"', `, ${hidden}`)],
    }),
  ).toEqual([
    'berth: A family that collects bases every year needs baseAdjustMonth | , "hiddenFields"',
    'berth: A family with back-payments needs supplementAllowed | , "hiddenFields"',
    'berth: A family with back-payments needs supplementMaxMonths | , "hiddenFields"',
    'berth: A family with late fees by the day needs payDay | , "hiddenFields"',
    'berth: The city may be hidden only where policies are nationwide | , "hiddenFields"',
  ])
})

test.skipIf(!isLong)('a policy kind may hide only its own fields', () => {
  const guild = schemeFiles.find(({ path }) => path.endsWith('/guild.family.json'))!
  const issues = issuesOf('"lateFeeDailyRate"]', '"lateFee"]', guild)
  expect(issues, issues.join('\n')).toHaveLength(1)
  expect(issues[0]).toContain('guild.family.json not-allowed-value: "lateFee" is not allowed here.')
})

test('a complete family has no warnings; an unknown icon is replaced, with a warning', () => {
  const warned = (icon: string) => {
    const changed = { ...guildcare, text: guildcare.text.replace('"icon": "heart"', `"icon": "${icon}"`) }
    const files = schemeFiles.map((each) => (each === guildcare ? changed : each))
    const { issues, warnings } = compileWithWarnings([...product, ...files], lists)
    return [...issues, ...warnings].map(({ file, message }) => `${file.split('/').at(-1)} ${message}`)
  }
  expect(warned('heart')).toEqual([])
  expect(warned('hart')).toEqual([
    'guildcare.family.json "hart" is unknown; "folder" is used instead. Did you mean "heart"?',
  ])
})

test.skipIf(!isLong)('conditions with a message are allowed beside rule words', () => {
  const checked =
    '"checks": [{ "check": "size(registerNo) >= 2", "cn": "备案号太短", "en": "Too short" }], "required": "onSuccess"'
  expect(issuesOf('"required": "onSuccess"', checked)).toEqual([])
  const [issue, ...more] = issuesOf(
    '"required": "onSuccess"',
    checked.replace('size(registerNo)', 'size(registerNumber)'),
  )
  expect(more).toEqual([])
  expect(issue).toContain('guildcare.family.json unknown-name')
})

test('lists, decimals and lengths become fields of those types', () => {
  const changed = guildcare.text
    .replace('"type": "enum(Group)"', '"type": "enum(Group)[]"')
    .replace(
      '"type": "boolean",\n        "required": "Y",\n        "inImport"',
      '"type": "decimal(8,3)",\n        "required": "Y",\n        "inImport"',
    )
  const files = schemeFiles.map((file) => (file === guildcare ? { ...file, text: changed } : file))
  const { catalog, issues } = compile([...product, ...files], lists)
  expect(issues).toEqual([])
  expect(catalog!.entities.guildcareAddition.fields.memberGroup.type).toBe('choices')
  expect(catalog!.entities.guildcareReduction.fields.returnedCard).toMatchObject({
    type: 'decimal',
    options: { precision: 8, scale: 3 },
  })
  expect(catalog!.entities.guildcareReduction.fields.newGuild.options.maxLength).toBe(20)
})
