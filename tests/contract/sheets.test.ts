/** An import reads what an export writes: every widget, twice through a real workbook. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellText, cellValue } from '../../engine/server/imports/importCells.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { openSheet } from '../../engine/server/sheets/readSheet.ts'
import type { CellValue } from '../../engine/server/sheets/readSheet.ts'
import { writeRecords } from '../../engine/server/sheets/writeRecords.ts'
import type { Choice, Value } from '../../engine/model/model.ts'
import { uscc } from '../customer.ts'
import { isLong } from '../long.ts'
import type { Case } from './widgets.ts'
import { canonicals, cases, fieldOf, languages } from './widgets.ts'

/** Texts with half-width letters and digits, because a sheet turns full-width ones into these. */
const texts = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      '=1+1',
      '+86',
      '-',
      '@a',
      '_x0041_',
      '00123',
      '1E5',
      '2026-03-01',
      'TRUE',
      '是',
      '客户（演示）',
      'a\tb',
      ' a  b ',
      '\u0085a',
      '9'.repeat(12),
      '﹏',
    ),
  )
  .map((text) => text.replace(/[０-９Ａ-Ｚａ-ｚ]/g, ''))
const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`))
const numbers = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 4 }),
  )
  .map(([whole, cut, places]) => {
    const text = String(whole / 10n ** BigInt(cut))
    const [sign, plain] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text]
    const padded = plain.padStart(places + 1, '0')
    return places === 0 ? text : `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`
  })
const times = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '))
const names = texts
  .map((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Cs}\s/／、､,，;；\uFFFE\uFFFF]/gu, ''))
  .filter((text) => text !== '')
const references = fc.record({
  id: fc.integer({ min: 1 }),
  code: fc.option(fc.stringMatching(/^[A-Z][0-9]{1,6}$/)),
  name: names,
})
const coded = fc.record({
  id: fc.integer({ min: 1 }),
  code: fc.stringMatching(/^[A-Z][0-9]{1,6}$/),
  name: fc.constantFrom('Foo, Inc.', '甲、乙', 'a；b'),
})

/** Values, most of them good, for types whose examples are not enough. */
const values: Record<string, (example: Case) => fc.Arbitrary<unknown>> = {
  bankaccount: () => digits(8, 30),
  boolean: () => fc.boolean(),
  choice: (example) => fc.constantFrom(...choicesOf(example)),
  choices: (example) => fc.uniqueArray(fc.constantFrom(...choicesOf(example)), { minLength: 1 }),
  date: () => times.map((text) => text.slice(0, 10)),
  datetime: () => times,
  decimal: () => numbers,
  email: () => fc.emailAddress(),
  idcard: () => fc.stringMatching(/^[A-Z0-9()]{5,20}$/),
  integer: () => fc.integer(),
  json: () =>
    fc
      .oneof(fc.array(fc.jsonValue(), { minLength: 1 }), fc.dictionary(texts, fc.oneof(texts, fc.jsonValue())))
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  money: () => numbers,
  month: () => times.map((text) => text.slice(0, 7)),
  'number-series': () => digits(6, 9).map((number) => `C${number}`),
  percent: () => numbers,
  phone: () => fc.oneof(fc.stringMatching(/^1[3-9][0-9]{9}$/), fc.stringMatching(/^0[0-9]{2,3}-[0-9]{7,8}$/)),
  reference: () => references,
  references: () =>
    fc.uniqueArray(fc.oneof(references, coded), { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
  text: () => texts,
  textarea: () => fc.array(texts, { maxLength: 4 }).map((lines) => lines.join('\n')),
  texts: () => fc.array(texts, { maxLength: 6 }),
  tree: () =>
    fc.record({
      id: fc.integer({ min: 1 }),
      code: fc.constant(null),
      name: names,
      path: fc.array(names, { minLength: 1, maxLength: 3 }),
    }),
  uscc: () => fc.integer({ min: 0, max: 99_999 }).map(uscc),
}

/** A new type has only its examples. */
const valuesOf = (example: Case): fc.Arbitrary<unknown>[] => [
  ...(values[example.type] ? [values[example.type](example)] : []),
  fc.constantFrom(...canonicals(example)),
]

const choicesOf = ({ widget, options: [options], context }: Case) =>
  context.dictionary(widget.dictionary!(options)!).choices.map(({ value }) => value)

/** Whether a sheet shows the value in words only, which cannot be read back. */
const isWordsOnly = (options: Record<string, unknown>) => options.of !== undefined

describe('an exported value', () => {
  const held = cases.filter(({ widget }) => widget.sheet)

  test('belongs to a widget that has a sheet format', () =>
    expect(Object.keys(values).filter((type) => !held.some((example) => example.type === type))).toEqual([]))

  test.each(
    held.flatMap((example) =>
      (isLong ? languages : languages.slice(0, 1)).map((language) => ({ type: example.type, example, language })),
    ),
  )('$type comes back from a workbook, twice, in $language', async ({ example, language }) => {
    const { widget, options, context } = example
    for (const [index, set] of options.entries()) {
      if (isWordsOnly(set)) continue
      const isGood = (value: Value) => value !== null && widget.check(value, set, context) === undefined
      const all = fc.oneof(...valuesOf(example)).map((given) => widget.normalize(given, set) as Value)
      let tried = 0
      const trip = (given: Value[]) => {
        const words = {
          derived: { widget: () => widget, catalog: { dictionaries: example.examples.dictionaries ?? {} } },
          now: context.now(),
        } as unknown as Context
        const field = fieldOf(example, index)
        const write = (value: Value): CellValue => widget.sheet!.write(value, set, context, language)
        return cellsOf(given.map(write), widget.sheet!.format?.(set)).then((cells) =>
          cells.map((cell) => cellValue(words, field, cellText(words, field, cell))),
        )
      }
      await fc.assert(
        fc.asyncProperty(fc.array(all, { minLength: 40, maxLength: 60 }), async (some) => {
          const given = some.filter(isGood)
          tried += given.length
          const once = await trip(given)
          if (widget.target) {
            // The import looks these up by name, code or path.
            expect(once).toEqual(given.map((value) => lookupText(value)))
            return
          }
          const back = once.map((value) => widget.normalize(value, set) as Value)
          expect(back).toEqual(given)
          expect((await trip(back)).map((value) => widget.normalize(value, set) as Value)).toEqual(given)
        }),
        { numRuns: isLong ? 6 : 2, seed: 11 },
      )
      if (canonicals(example).some(isGood)) expect(tried, JSON.stringify(set)).toBeGreaterThan(0)
    }
  })
})

describe('a cell', () => {
  const widgetOf = (type: string) => cases.find((example) => example.type === type)!
  const written = (type: string, value: Value, language: string, choices: Choice[]) => {
    const { widget } = widgetOf(type)
    const context = {
      label: { cn: '', en: '' },
      now: () => '',
      dictionary: (name: string) => ({ name, label: { cn: '', en: '' }, mayGrow: false, choices }),
    }
    const options = { choices: 'any' }
    const cell = widget.sheet!.write(value, options, context, language)
    return [cell, widget.normalize(widget.sheet!.read(cell, options, context), options)]
  }

  test.each(['bankaccount', 'idcard'])('of %s that has lost digits is refused', (type) => {
    const {
      widget,
      options: [options],
      context,
    } = widgetOf(type)
    const value = widget.normalize(widget.sheet!.read(9_900_100_100_000_020, options, context), options)
    expect(value).toBe('9.90010010000002E+15')
    expect(widget.check(value, options, context)).toMatchObject({ code: 'format' })
  })

  test('holds the value of a choice whose label is ambiguous', () => {
    const choice = (value: string, cn: string, en: string): Choice => ({ value, label: { cn, en } })
    const choices = [
      choice('a', '甲', 'Same'),
      choice('b', '乙', 'same'),
      choice('c', 'a', 'C'),
      choice('d', '丁；戊', 'D; E'),
    ]
    expect(choices.map(({ value }) => written('choice', value, 'en', choices))).toEqual([
      ['Same', 'a'],
      ['b', 'b'],
      ['C', 'c'],
      ['D; E', 'd'],
    ])
    expect(written('choice', 'c', 'cn', choices)).toEqual(['c', 'c'])
    expect(written('choices', ['b', 'd', 'a'], 'cn', choices)).toEqual(['乙、d、甲', ['b', 'd', 'a']])
  })
})

type Pointing = { id: number; code?: string | null; name?: string; path?: string[] }

function lookupText(value: Value): string | string[] {
  const written = ({ id, code, name, path }: Pointing) =>
    path?.join(' / ') ?? ((/[、､,，;；\n]/.test(name ?? '') ? code : name) || code || `#${id}`)
  return Array.isArray(value) ? (value as Pointing[]).map(written) : written(value as Pointing)
}

/** The cells of one column, read from a workbook as an export writes it. */
async function cellsOf(cells: CellValue[], format: string | undefined): Promise<CellValue[]> {
  async function* batches() {
    yield cells.map((cell, index): CellValue[] => [index, cell])
  }
  const sheet = await openSheet(
    writeRecords({
      title: 'Data',
      columns: [
        { header: 'Row', width: 10 },
        { header: 'Value', width: 10, ...(format && { format }) },
      ],
      batches: batches(),
    }),
  )
  try {
    const read: CellValue[] = []
    for await (const {
      number,
      cells: [, cell],
    } of sheet.rows())
      if (number > 1) read.push(cell ?? null)
    return read
  } finally {
    await sheet.close()
  }
}
