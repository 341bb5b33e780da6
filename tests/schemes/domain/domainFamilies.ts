/** The three families of the domain's part 2, section 5, made into files with the parameters of 4.1. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../engine/schema/walk.ts'

const text = readFileSync(join(import.meta.dirname, 'threeFamilies.md'), 'utf8')
const names = ['socialsecurity', 'medicalinsurance', 'accumulationfund'] as const
type Name = (typeof names)[number]

/** The rows of the table with this heading, as cells. */
const table = (heading: string): string[][] => {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  const rest = lines.slice(at + 2)
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) => line.slice(2, -2).split(/ ?\| ?/))
}
const both = (cell: string) => cell.split(' / ').map((part) => part.trim())
const listed = (cell: string) => (cell === '-' ? [] : cell.split(', '))
const given = (cell: string | undefined, key: string): JsonObject =>
  cell === undefined || cell === '-' || cell === '' ? {} : { [key]: cell }

const rows = Object.fromEntries(table('parameter').map(([name, ...cells]) => [name, cells]))
const cellOf = (family: Name) => (parameter: string) => {
  const cell = rows[parameter][names.indexOf(family)]
  return cell === 'same' ? rows[parameter][0] : cell.replace(/^`(.*)`$/, '$1')
}

const valuesOf = (cell: string, last?: (text: string) => JsonObject): JsonObject[] =>
  cell.split(' ; ').map((entry) => {
    const [value, cn, en, more = ''] = entry.split(':').map((part) => part.trim())
    return { value, cn, en, ...last?.(more) }
  })

function rangeOf(cell: string): JsonObject {
  const [, min, max, step] = /range (\d+)–(\d+) step (\d+)/.exec(cell) ?? []
  const rateModes = cell.startsWith('range') ? ['range'] : cell.split(', ')
  return min === undefined
    ? { rateModes }
    : { rateModes, range: { companyMin: min, companyMax: max, step }, sameRate: cell.includes('sameRate') }
}

/** Fee items of part 1, which the families bring along here. */
const feeItems = /^- feeItem :: (.+)$/m
  .exec(text)![1]
  .split(' ; ')
  .map((entry) => entry.split('|'))

function itemOf(cells: string[]): JsonObject {
  const [, key, name, mandatory, modes, company, personal, fixed, rates, round, cycles, sides, tax, fee] = cells
  const [cn, en] = both(name)
  const [companyFixed, personalFixed] = both(fixed)
  const [taxClass, cap] = tax.split(' · ')
  const [, ...newFee] = /^new (\S+) (\S+) (.+)$/.exec(fee) ?? []
  const [value, feeCn, feeEn] = newFee.length > 0 ? newFee : (feeItems.find(([known]) => known === fee) ?? [])
  return {
    key,
    cn,
    en,
    mandatory: mandatory === 'Y',
    amountModes: modes.split(', '),
    ...given(company.split(' ')[0], 'companyRate'),
    ...given(personal, 'personalRate'),
    ...given(companyFixed, 'companyFixed'),
    ...given(personalFixed, 'personalFixed'),
    ...rangeOf(rates),
    companyRound: round,
    personalRound: round,
    payCycles: cycles.split(', '),
    // Part 5 leaves this to the policies of section 8, but an item paid once a year requires it.
    ...(cycles.includes('year') && { payMonth: 1, annualRule: 'full', annualRefund: 'none' }),
    hasCompany: sides.startsWith('y'),
    hasPersonal: sides.endsWith('y'),
    taxClass,
    ...given(cap?.split(' ')[1], 'taxCapRate'),
    feeItem: { value, cn: feeCn, en: feeEn },
  }
}

function extraOf([, on, key, name, type, required, rules, inImport, column]: string[]): JsonObject {
  const [cn, en] = both(name)
  const plain = rules.replaceAll('`', '')
  return {
    on: on.split(', '),
    key,
    cn,
    en,
    type,
    required,
    rules: plain,
    inImport: inImport === 'true',
    column: column === 'true',
  }
}

function dictsOf(family: Name): JsonObject {
  const lines = text.split('\n').filter((line) => line.startsWith('- ') && line.includes(`(${family})`))
  return Object.fromEntries(
    lines.map((line) => [
      line.split(' ')[1],
      line
        .split(' :: ')[1]
        .split(' ; ')
        .map((entry) => entry.split('|'))
        .map(([value, cn, en]) => ({ value, cn, en })),
    ]),
  )
}

/** All parameters of one family, from its columns and rows. */
function parametersOf(family: Name): JsonObject {
  const cell = cellOf(family)
  const named = (parameter: string, end = '') => {
    const [cn, en] = both(cell(parameter))
    return { [`${end}Cn`]: cn, [`${end}En`]: en }
  }
  const [cn, en] = both(cell('cn / en'))
  const [short, shortEn] = both(cell('short / shortEn'))
  const [order, icon] = both(cell('order / icon'))
  const [baseName, mode] = cell('base').split(', ')
  const [minServiceMonths, requiresFamily] = both(cell('eligibility.minServiceMonths / requiresFamily'))
  const [sourceType, feeCategory] = cell('settlement').split(', ')
  const [expenseCn, expenseEn] = both(cell('expense.cn / en'))
  const ofFamily = (heading: string) => table(heading).filter(([name]) => name === family)
  return {
    key: family,
    cn,
    en,
    short,
    shortEn,
    prefix: cell('prefix'),
    order: Number(order),
    icon,
    policyKind: cell('policyKind'),
    words: Object.assign({}, ...['add', 'reduce', 'adjust', 'supplement'].map((each) => named(`words.${each}`, each))),
    account: {
      ...named('account.org', 'org'),
      ...named('account.personal', 'personal'),
      personalPattern: cell('account.personalPattern'),
      personalRequired: cell('account.personalRequired'),
    },
    base: { cn: both(baseName)[0], en: both(baseName)[1], mode },
    items: ofFamily('family | key | 中文 / English | mandatory').map(itemOf),
    ...given(cell('maxTotalRate'), 'maxTotalRate'),
    eligibility: {
      workerKinds: listed(cell('eligibility.workerKinds')),
      employmentForms: listed(cell('eligibility.employmentForms')),
      minServiceMonths: Number(minServiceMonths),
      ...given(requiresFamily, 'requiresFamily'),
    },
    additionTypes: valuesOf(cell('additionTypes')),
    supplementTypes: valuesOf(cell('supplementTypes')),
    adjustTypes: valuesOf(cell('adjustTypes'), (change) => ({ change })),
    reductionReasons: valuesOf(cell('reductionReasons'), (reasons) => ({
      leaveReasons: reasons === '' ? [] : reasons.split(','),
    })),
    pages: Object.fromEntries(
      ['additionalstaff', 'personnelreduction', 'fm', 'supplement'].map((each) => [
        each,
        cell(`pages.${each}`).split(', '),
      ]),
    ),
    extraFields: ofFamily('family | on').map(extraOf),
    dicts: dictsOf(family),
    supplement: { lateFee: cell('supplement.lateFee') },
    settlement: { sourceType, feeCategory },
    expense: {
      route: cell('expense.route'),
      cn: expenseCn,
      en: expenseEn,
      masks: cell('expense.masks').split(', ').map(Number),
      personCode: cell('expense.personCode') === 'true',
      tolerance: cell('expense.tolerance'),
    },
    importDiff: ofFamily('family | import kinds').map(([, kinds, header, after, field, required, sample, check]) => ({
      kinds: kinds.split(', '),
      add: [{ header, after, field, required, sample, check }],
    })),
    badge: { additionalstaff: true, personnelreduction: true, fm: true, supplement: true, summary: true },
  }
}

export const domainFamilies = Object.fromEntries(names.map((name) => [name, parametersOf(name)])) as Record<
  Name,
  JsonObject
>
