import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import type { ComputedStatement, ComputedItem, ComputedLine } from './computeStatement.ts'
import type { People } from './billableCosts.ts'

interface Written {
  statement: { id: number }
  computed: ComputedStatement
}
type Line = Values<'statementLine'>
type Item = Values<'statementItem'>

/** The amounts that a statement stores. */
export const statementAmounts = ({ headcount, amounts }: ComputedStatement) => ({ headcount, ...amounts })

const keyOf = ({ statement, lineType, person }: Line) => [statement, lineType, person ?? ''].join(' ')

/**
 * Updates lines and items of statements to the computed ones: existing ones keep their ids, removed ones are deleted.
 */
export async function writeStatements(
  work: ProcedureWork,
  written: readonly Written[],
  people: People,
  { areNew = false } = {},
): Promise<void> {
  const where = { statement: areNew ? [] : written.map(({ statement }) => statement.id) }
  const former = await work.read('statementLine', { where })
  const known = new Map(former.map((line) => [keyOf(line), line]))
  const wanted = written.flatMap(({ statement, computed }) =>
    computed.lines.map((line, index) => {
      const values: Line = { ...lineValues(statement.id, line, people), place: index + 1 }
      return { line, values, old: known.get(keyOf(values)) }
    }),
  )
  const added = await work.insert(
    'statementLine',
    wanted.flatMap(({ old, values }) => (old ? [] : [values])),
  )
  await work.changeAll(
    'statementLine',
    wanted.flatMap(({ old, values }) => (old ? [{ record: old, values }] : [])),
  )
  const next = added.values()
  const placed = wanted.map(({ line, old }) => ({ line, record: old ?? next.next().value! }))

  const kept = await work.read('statementItem', { where })
  const byId = new Map(kept.map((item) => [item.id as number, item]))
  const items = placed.flatMap(({ line, record: { id, statement } }) =>
    line.items.map((item, index) => ({
      old: item.id === undefined ? undefined : byId.get(item.id),
      values: { ...itemValues(item), statement, line: id, place: index + 1 } satisfies Item,
    })),
  )
  await work.insert(
    'statementItem',
    items.flatMap(({ old, values }) => (old ? [] : [values])),
  )
  await work.changeAll(
    'statementItem',
    items.flatMap(({ old, values }) => (old ? [{ record: old, values }] : [])),
  )
  const staying = new Set(items.map(({ old }) => old))
  await work.delete(
    'statementItem',
    kept.filter((item) => !staying.has(item)),
  )
  const stayingLines = new Set(placed.map(({ record }) => record))
  await work.delete(
    'statementLine',
    former.filter((line) => !stayingLines.has(line)),
  )
}

function lineValues(
  statement: number,
  { lineType, person, amounts, memoPersonal, outsideTerm }: ComputedLine,
  people: People,
): Line {
  const known = person === null ? undefined : people.get(person)
  return {
    statement,
    lineType,
    person,
    personName: known?.name ?? null,
    idNumber: known?.idNumber ?? null,
    costCenter: known?.costCenter ?? null,
    workCity: known?.insuranceCity ?? null,
    ...amounts,
    memoPersonal,
    outsideTerm,
  }
}

/** Computed items hold these codes as plain strings from the dictionaries of costs and fees. */
const itemValues = ({ id: _id, outsideTerm: _line, ...item }: ComputedItem): Item => ({
  policy: null,
  base: null,
  rate: null,
  fixedAmount: null,
  reason: null,
  carriedFrom: null,
  ...item,
  serviceType: (item.serviceType ?? null) as Stored<'statementItem'>['serviceType'],
  feeItem: item.feeItem as Stored<'statementItem'>['feeItem'],
  party: item.party as Stored<'statementItem'>['party'],
  sourceType: item.sourceType as Stored<'statementItem'>['sourceType'],
})

/** From now on these statements bill these costs; null releases them. */
export const billCosts = (
  work: ProcedureWork,
  billed: readonly { costs: readonly { id: number }[]; statement: number | null }[],
): Promise<void> =>
  work.setReferences(
    'costLine',
    'statement',
    billed.flatMap(({ costs, statement }) => costs.map(({ id }) => ({ id, at: statement }))),
  )
