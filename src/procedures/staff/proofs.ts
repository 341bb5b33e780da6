import { sql } from 'kysely'
import { invalid } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { storeFile } from '../../../engine/server/storeFile.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { FieldProblem, RecordData, Value } from '../../../engine/schema/model.ts'
import { blocksOf } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { fillPlaceholders, placeholdersIn } from '../print/placeholders.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { averageIncome, bestTemplate, proofPlaceholders, proofValues, type ProofValues } from './proofText.ts'

/** A template asks for nothing that no proof has. @throws Refusal invalid. */
export const checkTemplate: Procedure = async ({ records }) => {
  const known = new Set<string>(proofPlaceholders)
  const unknown = records.flatMap(({ content }) => placeholdersIn(String(content))).filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw invalid(
      unknown.map((name): FieldProblem => ({
        field: 'content',
        code: 'rule',
        message: { cn: `占位符{{${name}}}不存在`, en: `Unknown placeholder {{${name}}}` },
      })),
    )
}

/**
 * What the form of a proof takes: the template that fits best, its seal and its words about this person, and what they
 * earned. What was typed stays.
 */
export const suggestProof: Procedure = async ({ context, db, records: [old], values, form }) => {
  const typed = new Set(form?.typed)
  const proof: RecordData = { ...old, ...values }
  const person = await one(context, db, 'person', proof.person)
  if (!person || !proof.proofType) return { values: {} }
  const found: Record<string, Value> = {}
  if (!typed.has('certificate') && (!old || typed.has('proofType') || typed.has('language')))
    found.certificate = await templateFor(context, db, proof, person)
  if (proof.proofType === 'income' && !typed.has('averageIncome') && (!old || typed.has('incomeMonths'))) {
    found.averageIncome =
      averageIncome(
        await wagesOf(context, db, person.id!),
        Number(proof.incomeMonths ?? 12),
        context.now.slice(0, 7),
      ) ?? (person.baseSalary as string)
  }
  const whole = { ...proof, ...found }
  const template = await one(context, db, 'certificate', whole.certificate)
  if (template) {
    if (!typed.has('sealType') && (!old || typed.has('certificate'))) found.sealType = template.sealType!
    // The number is given when it is saved; until then its place is held.
    if (!typed.has('content'))
      found.content = fillPlaceholders(String(template.content), await valuesOf(context, db, whole, person))
  }
  return { values: found }
}

async function templateFor(
  context: Context,
  db: Db,
  { proofType, language }: RecordData,
  { customer }: RecordData,
): Promise<Value> {
  const fitting = await readAll(context, db, 'certificate', [
    sql<boolean>`${column('proofType')} = ${proofType} and ${column('language')} = ${language ?? 'zh'} and ${column('status')} = 'enabled'`,
  ])
  return bestTemplate(fitting, (customer ?? null) as number | null)?.id ?? null
}

/** What payroll delivered for this person, by the month that it was earned in. */
async function wagesOf(context: Context, db: Db, person: number): Promise<{ month: string; amount: string }[]> {
  const lines = await readAll(
    context,
    db,
    'costLine',
    [isAnyOf('person', [person]), sql<boolean>`${column('feeItem')} = 'grossWage'`],
    ['costMonth', 'amount'],
  )
  return lines.map(({ costMonth, amount }) => ({ month: String(costMonth), amount: String(amount) }))
}

async function one(context: Context, db: Db, entity: string, id: Value | undefined): Promise<RecordData | undefined> {
  if (typeof id !== 'number') return undefined
  return (await readAll(context, db, entity, [isAnyOf('id', [id])]))[0]
}

async function valuesOf(context: Context, db: Db, proof: RecordData, person: RecordData): Promise<ProofValues> {
  const customer = await one(context, db, 'customer', proof.customer ?? person.customer)
  const agency = await one(context, db, 'agency', person.agency)
  return proofValues({
    proof,
    person,
    customer: customer ?? null,
    agency: agency ?? null,
    dictionary: (name) => context.derived.catalog.dictionaries[name],
  })
}

/** A proof that was saved has its number, so that what was held open for it is filled. */
export const completeProof: Procedure = async ({ context, db, records }) => {
  for (const proof of records) {
    if (!String(proof.content).includes('{{')) continue
    const person = await one(context, db, 'person', proof.person)
    const content = fillPlaceholders(String(proof.content), await valuesOf(context, db, proof, person!))
    if (content !== proof.content) await changeRecord(context, db, entityOf(context, 'proof'), proof, { content })
  }
}

/** What is approved is printed, to be stamped. */
export const printProof: Procedure = async ({ context, db, records }) => {
  for (const proof of records) {
    if (proof.status !== 'approved') continue
    const template = await one(context, db, 'certificate', proof.certificate)
    const number = String(proof.proofNo)
    const content = await printPdf({
      title: number,
      number,
      size: template!.paper === 'a5' ? 'a5' : 'a4',
      blocks: blocksOf(String(proof.content)),
    })
    const file = await storeFile(context, db, `${number}.pdf`, content)
    await changeRecord(context, db, entityOf(context, 'proof'), proof, {
      generatedFile: [{ ...file, status: 'success' }] as unknown as Value,
    })
  }
}

const tell = (context: Context, db: Db, entries: readonly RecordData[]) =>
  insertRecords(
    context,
    db,
    entityOf(context, 'proofRecord'),
    entries.map((entry) => ({
      remark: null,
      ...entry,
      operator: context.user.id || null,
      operatedAt: context.now,
      ip: context.origin?.ip ?? null,
    })),
  )

export const recordScan: Procedure = ({ context, db, records }) =>
  tell(
    context,
    db,
    records.map(({ id, scanFile }) => ({ proof: id!, type: 'up', file: scanFile!, remark: null })),
  )

/**
 * The stamped scan of what was issued, else what is to be stamped. The answer's files are downloaded by whoever asked.
 */
export const downloadProof: Procedure = async ({ context, db, records }) => {
  const chosen = records.map(({ id, scanFile, generatedFile }) => ({
    id: id!,
    files: (((scanFile ?? []) as Value[]).length > 0 ? scanFile : generatedFile) as unknown as
      | { url: string; name: string }[]
      | null,
  }))
  const there = chosen.filter(({ files }) => files !== null && files.length > 0)
  if (there.length === 0)
    throw invalid([
      { field: 'generatedFile', code: 'rule', message: { cn: '没有可下载的文件', en: 'There is no file to download' } },
    ])
  await tell(
    context,
    db,
    there.map(({ id, files }) => ({ proof: id, type: 'down', file: files as unknown as Value, remark: null })),
  )
  for (const record of records) await writeHistory(context, db, entityOf(context, 'proof'), 'download', record, record)
  return { files: there.flatMap(({ files }) => files!.map(({ url, name }) => ({ url, name }))) }
}
