import {
  type FieldName,
  procedure,
  type ProcedureWork,
  type Stored,
  type Values,
} from '../../../engine/server/procedure.ts'
import { approvedStates } from '../salary/payrollData.ts'
import { blocksOf } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { fillPlaceholders, placeholdersIn } from '../print/placeholders.ts'
import { averageIncome, bestTemplate, letterPlaceholders, letterValues, type LetterValues } from './letterText.ts'

/** Checks that a template only uses placeholders of letters. @throws Refusal invalid. */
export const checkTemplate = procedure<'certificate'>(async (work, { records }) => {
  const known = new Set<string>(letterPlaceholders)
  const unknown = records.flatMap(({ content }) => placeholdersIn(content)).filter((name) => !known.has(name))
  if (unknown.length > 0)
    work.refuse(
      'certificate',
      unknown.map((name) => ({
        field: 'content',
        code: 'rule',
        message: { cn: `占位符{{${name}}}不存在`, en: `Unknown placeholder {{${name}}}` },
      })),
    )
})

/**
 * Suggestions for a letter: the best template, its seal, its text about this person, and their income. The user's
 * input stays.
 */
export const suggestLetter = procedure<'proof'>(async (work, { records, values, typed }) => {
  const old = records.at(0)
  const isTyped = (name: FieldName<'proof'>) => typed.has(name)
  const letter: Values<'proof'> = { ...old, ...values }
  const person = await work.one('person', letter.person)
  if (!person || !letter.proofType) return { values: {} }
  const found: Values<'proof'> = {}
  if (!isTyped('certificate') && (!old || isTyped('proofType') || isTyped('language')))
    found.certificate = await templateFor(work, letter, person)
  if (letter.proofType === 'income' && !isTyped('averageIncome') && (!old || isTyped('incomeMonths'))) {
    found.averageIncome =
      averageIncome(await wagesOf(work, person.id), letter.incomeMonths ?? 12, work.now.slice(0, 7)) ??
      person.baseSalary
  }
  const whole = { ...letter, ...found }
  const template = await work.one('certificate', whole.certificate)
  if (template) {
    if (!isTyped('sealType') && (!old || isTyped('certificate'))) found.sealType = template.sealType
    // The number is assigned on saving; until then its placeholder stays.
    if (!isTyped('content')) found.content = fillPlaceholders(template.content, await valuesOf(work, whole, person))
  }
  return { values: found }
})

async function templateFor(
  work: ProcedureWork,
  { proofType, language }: Values<'proof'>,
  { customer }: Stored<'person'>,
): Promise<number | null> {
  const fitting = await work.read('certificate', {
    where: { proofType, language: language ?? 'zh', status: 'enabled' },
    fields: ['customers'],
  })
  return bestTemplate(fitting, customer)?.id ?? null
}

/** This person's pre-tax income, by the month in which it was earned; a severance is not monthly income. */
export async function wagesOf(work: ProcedureWork, person: number): Promise<{ month: string; amount: string }[]> {
  const lines = await work.read('payrollLine', {
    where: { person, lineStatus: { not: 'removed' }, batchStatus: approvedStates, incomeType: { not: 'severance' } },
    fields: ['payrollMonth', 'grossPay'],
    // What a former customer paid stays with its staff.
    seen: true,
  })
  return lines.map(({ payrollMonth, grossPay }) => ({ month: payrollMonth!, amount: grossPay! }))
}

async function valuesOf(work: ProcedureWork, letter: Values<'proof'>, person: Stored<'person'>): Promise<LetterValues> {
  return letterValues({
    letter,
    person,
    customer: (await work.one('customer', letter.customer ?? person.customer)) ?? null,
    agency: (await work.one('agency', person.agency)) ?? null,
    dictionary: (name) => work.dictionary(name),
  })
}

/**
 * A saved letter has its number, which replaces the placeholder. Of a person who has left for another customer since,
 * whoever may not see them any more is told nothing.
 */
export const completeLetter = procedure<'proof'>(async (work, { records }) => {
  for (const letter of records) {
    if (!letter.content.includes('{{')) continue
    const [person] = await work.read('person', { where: { id: letter.person }, seen: true })
    if (!person) continue
    await work.change('proof', letter, {
      content: fillPlaceholders(letter.content, await valuesOf(work, letter, person as Stored<'person'>)),
    })
  }
})

/** An approved letter is printed, to be stamped. */
export const printLetter = procedure<'proof'>(async (work, { records }) => {
  for (const letter of records) {
    if (letter.status !== 'approved') continue
    const template = await work.one('certificate', letter.certificate)
    const number = letter.proofNo
    const content = await printPdf({ title: number, number, size: template!.paper, blocks: blocksOf(letter.content) })
    await work.change('proof', letter, { generatedFile: [await work.storeFile(`${number}.pdf`, content)] })
  }
})

const record = (work: ProcedureWork, entries: readonly Values<'proofRecord'>[]) =>
  work.insert(
    'proofRecord',
    entries.map((entry) => ({ ...entry, operator: work.user, operatedAt: work.now, ip: work.ip })),
  )

export const recordScan = procedure<'proof'>(async (work, { records }) => {
  await record(
    work,
    records.map(({ id, scanFile }) => ({ proof: id, type: 'up', file: scanFile })),
  )
})

/**
 * The stamped scan of an issued letter, else the one to be stamped, as a download for the caller.
 * @throws Refusal permission.
 */
export const downloadLetter = procedure<'proof'>(async (work, { records }) => {
  work.demandWhole('proof', ['generatedFile', 'scanFile'])
  const there = records.flatMap(({ id, scanFile, generatedFile }) => {
    const files = scanFile && scanFile.length > 0 ? scanFile : (generatedFile ?? [])
    return files.length > 0 ? [{ id, files }] : []
  })
  if (there.length === 0)
    work.refuse('proof', [
      { field: 'generatedFile', code: 'rule', message: { cn: '没有可下载的文件', en: 'There is no file to download' } },
    ])
  await record(
    work,
    there.map(({ id, files }) => ({ proof: id, type: 'down', file: files })),
  )
  await work.note('proof', records, 'download')
  return { files: there.flatMap(({ files }) => files.map(({ url, name }) => ({ url, name }))) }
})
