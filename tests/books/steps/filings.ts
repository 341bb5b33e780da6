import * as fc from 'fast-check'
import type { RecordData } from '../../../engine/model/model.ts'
import { filed } from '../invariants/filed.ts'
import { idOf } from '../invariants/Books.ts'
import { addMonths, monthsBetween } from '../model/months.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/salary/personalTax'

export const filingsOf = async (world: World): Promise<RecordData[]> => {
  const people = world.model.people.map(({ id }) => id)
  return people.length === 0 ? [] : world.all(path, { person: { in: people } })
}

/** The states in which a filing may be exported, filed, refused or withdrawn. */
const from: Record<string, string[]> = {
  exportFiling: ['pending', 'exported'],
  markFiled: ['pending', 'exported'],
  markFailed: ['exported'],
  withdraw: ['filed'],
}

const act = (world: World, action: string, filings: readonly RecordData[]) =>
  world.post(`${path}/${action}`, {
    ids: filings.map(({ id }) => id),
    ...(action === 'markFailed' && { values: { failReason: '信息有误' } }),
  })

const generate = (world: World, taxMonth: string) => world.post(`${path}/generate`, { values: { taxMonth } })

/** Withdraws what was filed of a payroll. */
export async function withdrawFilings(world: World, payroll: number): Promise<string[]> {
  const own = (await filingsOf(world)).filter(
    ({ status, payrolls }) =>
      status === 'filed' && ((payrolls ?? []) as { id: number }[]).some(({ id }) => id === payroll),
  )
  if (own.length === 0) return []
  return [describeStep(`${own.length} filings are withdrawn`, await act(world, 'withdraw', own))]
}

/** Everything up to this month is generated and filed. */
async function fileAll(world: World): Promise<string> {
  const entries: string[] = []
  // What was exported before it was outdated is corrected only once it is filed.
  for (let times = 0; times < 3; times++) {
    for (const month of monthsBetween('2026-01', world.month)) {
      const answer = await generate(world, month)
      if (answer.code !== 1) entries.push(describeStep(`filings of ${month}`, answer))
    }
    const open = (await filingsOf(world)).filter(({ status }) => from.markFiled.includes(String(status)))
    if (open.length === 0) continue
    entries.push(describeStep(`${open.length} filings are exported`, await act(world, 'exportFiling', open)))
    const answer = await act(world, 'markFiled', open)
    entries.push(describeStep('they are filed', answer))
    // Wages of these were taken back: the refusal says to mark them as failed and to generate them again.
    const refused = new Set((answer.result.failed as { id: number }[]).map(({ id }) => id))
    const outdated = open.filter(({ id }) => refused.has(id!))
    if (outdated.length > 0) entries.push(describeStep('some fail', await act(world, 'markFailed', outdated)))
  }
  return entries.join('; ') || 'there is nothing to file'
}

export const filings = {
  file: kind({
    weight: 3,
    values: fc.record({ back: fc.constantFrom(0, 0, 1, 2), isZero: fc.constantFrom(false, false, false, true) }),
    async run(world, { back, isZero }) {
      const month = addMonths(world.month, -back)
      if (month < '2026-01') return undefined
      if (!isZero) return describeStep(`filings of ${month} are made`, await generate(world, month))
      const answer = await world.post(`${path}/zeroAuto`, { values: { taxMonth: month, zeroReason: 'noIncome' } })
      return describeStep(`zero filings of ${month} are made`, answer)
    },
  }),

  filing: kind({
    weight: 4,
    values: fc.record({
      at,
      isAlone: fc.boolean(),
      action: fc.constantFrom('exportFiling', 'exportFiling', 'markFiled', 'markFiled', 'markFailed', 'withdraw'),
    }),
    async run(world, { action, isAlone, ...values }) {
      const able = (await filingsOf(world)).filter(
        ({ status, taxMonth }) =>
          from[action].includes(String(status)) &&
          (action !== 'withdraw' || world.day <= `${addMonths(String(taxMonth), 2)}-15`),
      )
      const first = pick(able, values.at)
      if (!first) return undefined
      const all = able.filter(
        ({ taxMonth, agency }) => taxMonth === first.taxMonth && idOf(agency) === idOf(first.agency),
      )
      const chosen = isAlone ? [first] : all
      return describeStep(
        `${chosen.length} filings of ${String(first.taxMonth)}: ${action}`,
        await act(world, action, chosen),
      )
    },
  }),

  fileAll: kind({
    weight: 2,
    values: fc.record({}),
    async run(world) {
      if (world.model.payrolls.length === 0) return undefined
      const entry = await fileAll(world)
      filed(await filingsOf(world), world)
      return `all taxes are filed: ${entry}`
    },
  }),
}
