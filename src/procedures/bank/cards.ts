import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'

/** A person has exactly one default card: a new default replaces the old, and the first card is always the default. */
export const keepDefaultCard = procedure<'personBankCard'>((work, { records }) => keepOneDefault(work, records))

export async function keepOneDefault(work: ProcedureWork, records: readonly Stored<'personBankCard'>[]): Promise<void> {
  const stored = await work.read('personBankCard', {
    where: { person: records.map(({ person }) => person), id: { not: records.map(({ id }) => id) } },
    lock: true,
  })
  const cards = [...stored, ...records]
  const changes = new Map<Stored<'personBankCard'>, boolean>()
  const isDefault = (card: Stored<'personBankCard'>) => changes.get(card) ?? card.isDefault
  for (const record of records) {
    const defaults = cards.filter((card) => card.person === record.person && card !== record && isDefault(card))
    if (isDefault(record)) for (const other of defaults) changes.set(other, false)
    else if (defaults.length === 0) changes.set(record, true)
  }
  await work.changeAll(
    'personBankCard',
    [...changes].map(([record, value]) => ({ record, values: { isDefault: value } })),
  )
}
