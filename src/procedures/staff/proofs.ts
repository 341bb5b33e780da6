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
import { averageIncome, bestTemplate, proofPlaceholders, proofValues, type ProofValues } from './proofText.ts'

/** Checks that a template only uses placeholders of proofs. @throws Refusal invalid. */
export const checkTemplate = procedure<'certificate'>(async (work, { records }) => {
  const known = new Set<string>(proofPlaceholders)
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
 * Suggestions for a proof: the best template, its seal, its text about this person, and their income. The user's
 * input stays.
 */
export const suggestProof = procedure<'proof'>(async (work, { records, values, typed }) => {
  const old = records.at(0)
  const isTyped = (name: FieldName<'proof'>) => typed.has(name)
  const proof: Values<'proof'> = { ...old, ...values }
  const person = await work.one('person', proof.person)
  if (!person || !proof.proofType) return { values: {} }
  const found: Values<'proof'> = {}
  if (!isTyped('certificate') && (!old || isTyped('proofType') || isTyped('language')))
    found.certificate = await templateFor(work, proof, person)
  if (proof.proofType === 'income' && !isTyped('averageIncome') && (!old || isTyped('incomeMonths'))) {
    found.averageIncome =
      averageIncome(await wagesOf(work, person.id), proof.incomeMonths ?? 12, work.now.slice(0, 7)) ?? person.baseSalary
  }
  const whole = { ...proof, ...found }
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

async function valuesOf(work: ProcedureWork, proof: Values<'proof'>, person: Stored<'person'>): Promise<ProofValues> {
  return proofValues({
    proof,
    person,
    customer: (await work.one('customer', proof.customer ?? person.customer)) ?? null,
    agency: (await work.one('agency', person.agency)) ?? null,
    dictionary: (name) => work.dictionary(name),
  })
}

/** A saved proof has its number, which replaces the placeholder. */
export const completeProof = procedure<'proof'>(async (work, { records }) => {
  for (const proof of records) {
    if (!proof.content.includes('{{')) continue
    const person = await work.one('person', proof.person)
    await work.change('proof', proof, {
      content: fillPlaceholders(proof.content, await valuesOf(work, proof, person!)),
    })
  }
})

/** An approved proof is printed, to be stamped. */
export const printProof = procedure<'proof'>(async (work, { records }) => {
  for (const proof of records) {
    if (proof.status !== 'approved') continue
    const template = await work.one('certificate', proof.certificate)
    const number = proof.proofNo
    const content = await printPdf({ title: number, number, size: template!.paper, blocks: blocksOf(proof.content) })
    await work.change('proof', proof, { generatedFile: [await work.storeFile(`${number}.pdf`, content)] })
  }
})

const tell = (work: ProcedureWork, entries: readonly Values<'proofRecord'>[]) =>
  work.insert(
    'proofRecord',
    entries.map((entry) => ({ ...entry, operator: work.user, operatedAt: work.now, ip: work.ip })),
  )

export const recordScan = procedure<'proof'>(async (work, { records }) => {
  await tell(
    work,
    records.map(({ id, scanFile }) => ({ proof: id, type: 'up', file: scanFile })),
  )
})

/**
 * The stamped scan of an issued proof, else the one to be stamped, as a download for the caller.
 * @throws Refusal permission.
 */
export const downloadProof = procedure<'proof'>(async (work, { records }) => {
  work.demandWhole('proof', ['generatedFile', 'scanFile'])
  const there = records.flatMap(({ id, scanFile, generatedFile }) => {
    const files = scanFile && scanFile.length > 0 ? scanFile : (generatedFile ?? [])
    return files.length > 0 ? [{ id, files }] : []
  })
  if (there.length === 0)
    work.refuse('proof', [
      { field: 'generatedFile', code: 'rule', message: { cn: '没有可下载的文件', en: 'There is no file to download' } },
    ])
  await tell(
    work,
    there.map(({ id, files }) => ({ proof: id, type: 'down', file: files })),
  )
  await work.note('proof', records, 'download')
  return { files: there.flatMap(({ files }) => files.map(({ url, name }) => ({ url, name }))) }
})
