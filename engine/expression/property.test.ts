import { Environment } from '@marcbachmann/cel-js'
import { Decimal as Library } from 'decimal.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkExpression, dependencies, evaluateCondition, evaluateFormula, type VariableTypes } from './index.ts'

/** Computed independently of the language: null is missing, and `&&` and `||` follow the side that decides. */
const Exact = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP })
type Operands = Record<string, string | boolean | null>
interface Sample<T> {
  text: string
  compute(record: Operands): T | null
}

const numbers = ['price', 'rate', 'count']
const words = ['name', 'city']
const types: VariableTypes = {
  price: 'decimal',
  rate: 'decimal',
  count: 'decimal',
  name: 'string',
  city: 'string',
  active: 'boolean',
  closed: 'boolean',
}
const amount = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => new Exact(units).dividedBy(new Exact(10).pow(scale)).toFixed())
const word = fc.constantFrom('a', 'b', 'ab', '中文', '2026-01-01')
const record: fc.Arbitrary<Operands> = fc.record({
  price: fc.option(amount),
  rate: fc.option(amount),
  count: fc.option(amount),
  name: fc.option(word),
  city: fc.option(word),
  active: fc.option(fc.boolean()),
  closed: fc.option(fc.boolean()),
})

const lift =
  <A, B, R>(left: Sample<A>, right: Sample<B>, compute: (a: A, b: B) => R | null) =>
  (values: Operands): R | null => {
    const [a, b] = [left.compute(values), right.compute(values)]
    return a === null || b === null ? null : compute(a, b)
  }
const arithmetic: Record<string, (a: Library, b: Library) => Library | null> = {
  '+': (a, b) => a.plus(b),
  '-': (a, b) => a.minus(b),
  '*': (a, b) => a.times(b),
  '/': (a, b) => (b.isZero() ? null : a.dividedBy(b)),
  '%': (a, b) => (b.isZero() ? null : a.modulo(b)),
}
const orders: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const same =
  <T>(equal: (a: T, b: T) => boolean) =>
  (left: Sample<T>, right: Sample<T>) =>
  (values: Operands) => {
    const [a, b] = [left.compute(values), right.compute(values)]
    return a === null || b === null ? a === b : equal(a, b)
  }
const sameNumber = same<Library>((a, b) => a.equals(b))
const sameWord = same<string>((a, b) => a === b)

const samples = fc.letrec<{ number: Sample<Library>; word: Sample<string>; condition: Sample<boolean> }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    amount.map((text) => ({ text: text.startsWith('-') ? `(${text})` : text, compute: () => new Exact(text) })),
    fc.constantFrom(...numbers).map((name) => ({
      text: name,
      compute: (values: Operands) => (values[name] === null ? null : new Exact(values[name] as string)),
    })),
    fc
      .tuple(fc.constantFrom(...Object.keys(arithmetic)), tie('number'), tie('number'))
      .map(([operator, left, right]) => ({
        text: `(${left.text} ${operator} ${right.text})`,
        compute: lift(left, right, arithmetic[operator]),
      })),
    fc.tuple(tie('number'), fc.nat(4)).map(([value, digits]) => ({
      text: `round(${value.text}, ${digits})`,
      compute: (values: Operands) => value.compute(values)?.toDecimalPlaces(digits, Library.ROUND_HALF_UP) ?? null,
    })),
    fc.tuple(tie('condition'), tie('number'), tie('number')).map(([test, yes, no]) => ({
      text: `(${test.text} ? ${yes.text} : ${no.text})`,
      compute(values: Operands) {
        const answer = test.compute(values)
        return answer === null ? null : answer ? yes.compute(values) : no.compute(values)
      },
    })),
  ),
  word: fc.oneof(
    { maxDepth: 3 },
    word.map((text) => ({ text: `'${text}'`, compute: () => text })),
    fc
      .constantFrom(...words)
      .map((name) => ({ text: name, compute: (values: Operands) => values[name] as string | null })),
    fc.tuple(tie('word'), tie('word')).map(([left, right]) => ({
      text: `(${left.text} + ${right.text})`,
      compute: lift(left, right, (a, b) => a + b),
    })),
  ),
  condition: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc
      .constantFrom('active', 'closed')
      .map((name) => ({ text: name, compute: (values: Operands) => values[name] as boolean | null })),
    fc.tuple(fc.constantFrom(...Object.keys(orders)), tie('number'), tie('number')).map(([operator, left, right]) => ({
      text: `(${left.text} ${operator} ${right.text})`,
      compute: lift(left, right, (a, b) => orders[operator](a.comparedTo(b))),
    })),
    fc.tuple(fc.constantFrom(...Object.keys(orders)), tie('word'), tie('word')).map(([operator, left, right]) => ({
      text: `(${left.text} ${operator} ${right.text})`,
      compute: lift(left, right, (a, b) => orders[operator](order(a, b))),
    })),
    fc.tuple(fc.boolean(), tie('number'), tie('number')).map(([equal, left, right]) => ({
      text: `(${left.text} ${equal ? '==' : '!='} ${right.text})`,
      compute: (values: Operands) => sameNumber(left, right)(values) === equal,
    })),
    fc.tuple(tie('word'), fc.array(tie('word'), { maxLength: 3 })).map(([item, list]) => ({
      text: `(${item.text} in [${list.map((each) => each.text).join(', ')}])`,
      compute: (values: Operands) => list.some((each) => sameWord(item, each)(values)),
    })),
    tie('condition').map((inner) => ({
      text: `!${inner.text}`,
      compute(values: Operands) {
        const answer = inner.compute(values)
        return answer === null ? null : !answer
      },
    })),
    fc.tuple(fc.boolean(), tie('condition'), tie('condition')).map(([decisive, left, right]) => ({
      text: `(${left.text} ${decisive ? '||' : '&&'} ${right.text})`,
      compute(values: Operands) {
        const answers = [left.compute(values), right.compute(values)]
        return answers.includes(decisive) ? decisive : answers.includes(null) ? null : !decisive
      },
    })),
  ),
}))

const scope = (values: Operands) => ({ record: values, now: '2026-01-01 00:00:00' })

it('conditions are evaluated as written, with values missing anywhere', () => {
  fc.assert(
    fc.property(samples.condition, record, ({ text, compute }, values) => {
      expect(checkExpression(text, types, 'boolean')).toEqual([])
      expect(evaluateCondition(text, scope(values), types)).toBe(compute(values) === true)
    }),
    { numRuns: 1500, seed: 7 },
  )
})

it('formulas are exact', () => {
  fc.assert(
    fc.property(samples.number, record, ({ text, compute }, values) => {
      expect(checkExpression(text, types, 'decimal')).toEqual([])
      const result = evaluateFormula(text, scope(values), types)
      expect(result).toBe(compute(values)?.toFixed() ?? null)
      if (result !== null) expect(result).toMatch(/^-?\d+(\.\d+)?$/)
    }),
    { numRuns: 1500, seed: 7 },
  )
})

it('an expression depends on no field that it does not name', () => {
  fc.assert(
    fc.property(samples.condition, record, record, ({ text }, operands, other) => {
      const names = dependencies(text)
      const mixed = Object.fromEntries(
        Object.keys(operands).map((name) => [name, names.includes(name) ? operands[name] : other[name]]),
      )
      expect(evaluateCondition(text, scope(mixed), types)).toBe(evaluateCondition(text, scope(operands), types))
    }),
    { numRuns: 500, seed: 7 },
  )
})

it("is CEL: agrees with the library's own evaluator on whole numbers, texts and booleans", () => {
  const whole = fc.letrec<{ number: string; condition: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 'b', '0', '7'),
      fc.tuple(tie('number'), fc.constantFrom('+', '-', '*'), tie('number')).map((parts) => `(${parts.join(' ')})`),
    ),
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        'yes',
        "text == 'x'",
        "text.startsWith('x')",
        'size(text) > 1',
        '[a, b].exists(i, i > 3)',
        'a in [1, 2, b]',
      ),
      fc
        .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
        .map((parts) => `(${parts.join(' ')})`),
      tie('condition').map((inner) => `!(${inner})`),
      fc.tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition')).map((parts) => `(${parts.join(' ')})`),
      fc
        .tuple(tie('condition'), tie('condition'), tie('condition'))
        .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    ),
  }))
  const library = new Environment()
    .registerVariable('a', 'int')
    .registerVariable('b', 'int')
    .registerVariable('yes', 'bool')
    .registerVariable('text', 'string')
  const small = fc.integer({ min: -9, max: 9 })
  fc.assert(
    fc.property(
      whole.condition,
      small,
      small,
      fc.boolean(),
      fc.constantFrom('x', 'xy', 'y'),
      (text, a, b, yes, word) => {
        const ours = evaluateCondition(text, scope({ a: String(a), b: String(b), yes, text: word }), wholeTypes)
        expect(ours).toBe(library.evaluate(text, { a: BigInt(a), b: BigInt(b), yes, text: word }))
      },
    ),
    { numRuns: 1000, seed: 7 },
  )
})
const wholeTypes: VariableTypes = { a: 'decimal', b: 'decimal', yes: 'boolean', text: 'string' }

it('the checker never fails on any text, and every accepted text evaluates', () => {
  const pieces = fc.array(
    fc.constantFrom(
      'price',
      'name',
      'active',
      'old.name',
      '1',
      '0.5',
      "'a'",
      '+',
      '==',
      '&&',
      '!',
      '(',
      ')',
      '[',
      ']',
      'in',
      '.',
      ',',
      'size(',
      '?',
      ':',
      'null',
      ' ',
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((parts) => parts.join(' ')),
      ),
      record,
      (text, values) => {
        const faults = checkExpression(text, types)
        for (const { start, end, message } of faults) {
          expect(start >= 0 && end >= start && end <= text.length).toBe(true)
          expect(message.cn && message.en).toBeTruthy()
        }
        if (!faults.length) evaluateFormula(text, scope(values), types)
      },
    ),
    { numRuns: 2000, seed: 7 },
  )
})
