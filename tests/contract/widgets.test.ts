/** The contract that every widget keeps, tested for the whole list: a new widget is included by its line there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { widgetViews } from '../../engine/widgets/views.ts'
import { allExamples, canonicals, cases, filled, languages } from './widgets.ts'

const engine = join(import.meta.dirname, '../../engine')
const folders = readdirSync(join(engine, 'widgets'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

describe('the lists', () => {
  test('name each folder once', () => {
    expect(cases.map(({ type }) => type).sort()).toEqual(folders)
    expect(Object.keys(widgetViews).sort()).toEqual(folders)
    expect(Object.keys(allExamples).sort()).toEqual(folders)
  })

  test.each(folders)('%s has its three files', (type) => {
    const files = [`${type}.ts`, `${type}.view.tsx`, `${type}.examples.ts`]
    expect(readdirSync(join(engine, 'widgets', type))).toEqual(expect.arrayContaining(files))
  })
})

describe.each(cases)('$type', (each) => {
  const { widget, examples, options, context } = each

  test('has labels, distinct operators, examples, and a sensible width', () => {
    expect(widget.label).toEqual({ cn: expect.stringMatching(/\p{Script=Han}/u), en: expect.stringMatching(/^[A-Z]/) })
    expect(new Set(widget.operators).size).toBe(widget.operators.length)
    expect(examples.good.length).toBeGreaterThan(0)
    for (const set of options) {
      expect(widget.width(set)).toBeGreaterThanOrEqual(40)
      expect(widget.width(set)).toBeLessThanOrEqual(600)
    }
  })

  test('accepts the options of its examples', () => {
    const valid = new Ajv({ strict: false }).compile(widget.options)
    for (const set of examples.options) expect(valid(set), JSON.stringify([set, valid.errors])).toBe(true)
    expect(valid({ notAnOption: 1 })).toBe(false)
  })

  test('declares every option that it reads', () => {
    const read = new Set<string>()
    const watched = new Proxy(options[0], {
      get(target, key) {
        if (typeof key === 'string') read.add(key)
        return Reflect.get(target, key)
      },
    })
    widget.column(watched)
    widget.width(watched)
    widget.target?.(watched)
    widget.dictionary?.(watched)
    widget.series?.(watched, {})
    widget.given?.(watched)
    widget.sheet?.format?.(watched)
    for (const value of [...canonicals(each), ...examples.bad.map((bad) => widget.normalize(bad.given, watched))]) {
      if (value === null) continue
      widget.check(value, watched, context)
    }
    for (const value of canonicals(each)) {
      widget.mask?.(value, watched)
      widget.text(value, watched, context, 'cn')
      widget.sheet?.read(widget.sheet.write(value, watched, context, 'cn'), watched, context)
    }
    expect(Object.keys(widget.options.properties)).toEqual(expect.arrayContaining([...read]))
  })

  test('has a column, or stores its value in another table', () => {
    for (const set of options) {
      const column = widget.column(set)
      if (column === null) expect(widget.target?.(set)?.rows ?? widget.target?.(set)?.many).toBeTruthy()
      else
        expect(column).toMatch(
          /^((text|integer|bigint)(\[\])?|boolean|date|jsonb|timestamp(\(\d\))?|numeric\(\d+,\d+\))$/,
        )
    }
  })

  test.each(examples.good)('accepts $given', ({ given, canonical, text }) => {
    const value = widget.normalize(given, options[0])
    expect(value).toEqual(canonical)
    expect(widget.check(value, options[0], context)).toBeUndefined()
    for (const language of languages) expect(widget.text(value, options[0], context, language)).toBe(text[language])
  })

  test.each(examples.bad)('refuses $given: $code', ({ given, code, message, with: set = 0 }) => {
    const value = widget.normalize(given, options[set])
    expect(value).not.toBeNull()
    expect(widget.check(value, options[set], context)).toEqual({ code, message: filled(message) })
  })

  test('normalizes empty values to null', () => {
    for (const nothing of [null, undefined, '', []]) expect(widget.normalize(nothing, options[0])).toBeNull()
  })

  test('normalizes a normalized value to itself and never throws', () => {
    const settled = (value: unknown) => {
      for (const set of options) {
        const once = widget.normalize(value, set)
        expect(widget.normalize(once, set)).toEqual(once)
        if (once !== null) widget.check(once, set, context)
      }
    }
    for (const value of canonicals(each)) settled(value)
    for (const { given } of [...examples.good, ...examples.bad]) settled(given)
    fc.assert(fc.property(fc.jsonValue(), settled), { numRuns: 60, seed: 7 })
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), settled), { numRuns: 60, seed: 7 })
  })

  test('travels as JSON unchanged', () => {
    for (const value of canonicals(each)) {
      expect(JSON.parse(JSON.stringify(value))).toEqual(value)
      expect(Object.is(value, -0)).toBe(false)
    }
  })

  test.runIf(widget.mask)('masks a part of each value, and prints the mask', () => {
    for (const value of canonicals(each)) {
      const mask = widget.mask!(value, options[0])
      expect(mask).toContain('*')
      expect(mask === value && !String(value).includes('*')).toBe(false)
      for (const language of languages) expect(widget.text(mask, options[0], context, language)).toContain('*')
    }
  })

  test.runIf(widget.brief)('is briefer in a list than its text, and the same for a mask as for the whole value', () => {
    for (const { canonical } of examples.good) {
      const brief = widget.brief!(canonical, options[0])
      expect(brief).not.toBe(widget.text(canonical, options[0], context, 'cn'))
      if (widget.mask) expect(widget.brief!(widget.mask(canonical, options[0]), options[0])).toBe(brief)
    }
  })

  describe.runIf(widget.sheet)('on a sheet', () => {
    const sheet = widget.sheet!

    // The name of a record becomes a reference only where the names of a whole column are looked up at once.
    test.skipIf(widget.target)('returns as it was written, in every language', () => {
      for (const value of canonicals(each)) {
        for (const language of languages) {
          const cell = sheet.write(value, options[0], context, language)
          if (sheet.format?.(options[0]) === '@') expect(typeof cell).toBe('string')
          expect(widget.normalize(sheet.read(cell, options[0], context), options[0])).toEqual(value)
        }
      }
    })

    test('reads any cell without throwing', () => {
      const cell = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.date(), fc.constant(null))
      fc.assert(
        fc.property(cell, (cell) => {
          const value = widget.normalize(sheet.read(cell, options[0], context), options[0])
          if (value !== null) widget.check(value, options[0], context)
        }),
        { numRuns: 60, seed: 7 },
      )
    })

    test.each(examples.cells ?? [])('reads the cell $cell', ({ cell, canonical }) => {
      const value = widget.normalize(sheet.read(cell, options[0], context), options[0])
      expect(value).toEqual(canonical)
      if (value !== null && !widget.target) expect(widget.check(value, options[0], context)).toBeUndefined()
    })
  })
})

describe('shared code never asks "which widget?"', () => {
  // These words have other meanings in shared code as well, so they are refused only where a type is meant: words that
  // SQL and JSON Schema use for their types only as the type of a field or widget, the others wherever they are called
  // a type.
  const types = ['boolean', 'date', 'decimal', 'integer', 'json', 'text']
  const everyday = [...types, 'choice', 'file', 'image', 'month', 'password', 'reference', 'rows', 'secret', 'tree']
  const sources = ['client', 'server', 'model', 'schema'].flatMap((part) =>
    readdirSync(join(engine, part), { recursive: true, encoding: 'utf8' })
      // standard.ts contains fields written in the schema language, as a schema file does.
      .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$|^language\/standard\.ts$/.test(file))
      .map((file) => ({ file: `engine/${part}/${file}`, source: readFileSync(join(engine, part, file), 'utf8') })),
  )

  /** Lines of code, without comments. */
  const lines = (pattern: RegExp) =>
    sources.flatMap(({ file, source }) =>
      source
        .split('\n')
        .flatMap((line, index) =>
          !/^\s*(\/\*|\*|\/\/)/.test(line) && pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
        ),
    )

  test('there is shared code to read', () => expect(sources.length).toBeGreaterThan(3))

  test.each(folders)('%s is named nowhere', (type) => {
    const quoted = `['"\`]${type}['"\`]`
    const whose = types.includes(type) ? '([fF]ield|[wW]idget)\\??\\.type' : '\\btype'
    const patterns = [
      `${whose}\\s*[!=]==?\\s*${quoted}`,
      `${quoted}\\s*[!=]==?\\s*([\\w.]*\\.)?${whose}\\b`,
      `\\b(widgets|views)(\\.${type}\\b|\\[${quoted}\\])`,
    ]
    expect(lines(new RegExp((everyday.includes(type) ? patterns : [...patterns, quoted]).join('|')))).toEqual([])
  })

  test('never checks a list of types', () => expect(lines(/\]\.includes\([\w.]*(field|widget)\.type\)/)).toEqual([]))
})
