import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'

/**
 * A person has exactly one default card: a new one takes the place of the old, and the first is one whatever was said.
 */
export const keepDefaultCard = procedure<'personBankCard'>((work, { records }) => keepOneDefault(work, records))

export async function keepOneDefault(work: ProcedureWork, records: readonly Stored<'personBankCard'>[]): Promise<void> {
  for (const record of records) {
    const others = await work.read('personBankCard', {
      where: { person: record.person, id: { not: record.id } },
      lock: true,
    })
    const defaults = others.filter(({ isDefault }) => isDefault)
    if (record.isDefault)
      await work.changeAll(
        'personBankCard',
        defaults.map((other) => ({ record: other, values: { isDefault: false } })),
      )
    else if (defaults.length === 0) await work.change('personBankCard', record, { isDefault: true })
  }
}
