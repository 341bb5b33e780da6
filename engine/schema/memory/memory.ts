import { isSameList, kept } from './lastResults.ts'
import type { Report } from '../issues/report.ts'
import type { Names } from '../named.ts'

/** A lookup in the names, and its answer. */
interface Answer {
  question: Question
  name: string
  answer: unknown
}
interface Finding {
  inputs: readonly unknown[]
  answers: readonly Answer[]
  result: unknown
}

const tables = ['entities', 'dictionaries', 'screens', 'routes', 'permissions'] as const
type Table = (typeof tables)[number]
/** Of a file that others name: what affects them besides its texts. */
const structured = ['entities', 'dictionaries', 'screens'] as const
type Structured = (typeof structured)[number]
const isStructured = (table: Table): table is Structured => (structured as readonly Table[]).includes(table)
const plainValues = [
  'app',
  'knowsRoutes',
  'contested',
  'knowsPermissions',
  'knowsDirectories',
  'knowsRoles',
  'unnamed',
  'areas',
  'folders',
  'roles',
  'backends',
] as const
type Made = 'made entities' | 'made dictionaries'
type Question =
  | Table
  | `structures of ${Structured}`
  | `keys of ${Table | Made}`
  | 'value'
  | 'variables'
  | 'screensOf'
  | 'missingUses'
  | Made

/** What a run reads of files that it names: all of them, or everything but their texts. */
type Reading = 'whole' | 'structure'

/** Cached results of an object, latest first. */
const found = new WeakMap<object, Map<string, Finding[]>>()

/**
 * Recomputes only what may have changed. Each run is recorded with what it looked up in the names; while its inputs and
 * these answers stay the same, so does its result. Only a run without issues is cached, because issues are reported
 * each time, at their current positions. This requires that a named object keeps its identity as long as its file does,
 * which `Names` ensures.
 */
export class Memory {
  private readonly names: Names
  private readonly watched: Record<Reading, Names>
  private readonly report: Report
  private lookups = new Map<string, Answer>()

  constructor(names: Names, report: Report) {
    this.names = names
    this.report = report
    this.watched = { whole: this.watch('whole'), structure: this.watch('structure') }
  }

  /**
   * The result of `run` for `owner`, an object that stays the same as long as its file does.
   * @param reading `structure`: texts of named files do not affect the result, they only appear in issues
   */
  recall<T>(
    what: string,
    owner: object,
    given: readonly unknown[],
    run: (names: Names, report: Report) => T,
    reading: Reading = 'whole',
  ): T {
    const { widgets, kinds, procedures, uses } = this.names
    const inputs = [...given, widgets, kinds, procedures, uses]
    const all = found.get(owner) ?? new Map<string, Finding[]>()
    found.set(owner, all)
    const findings = all.get(what) ?? []
    const known = findings.find((finding) => this.holds(finding, inputs))
    if (known) {
      if (known !== findings[0]) all.set(what, [known, ...findings.filter((finding) => finding !== known)])
      return known.result as T
    }
    let isClean = true
    this.lookups = new Map()
    const result = run(this.watched[reading], (...fault) => {
      isClean = false
      this.report(...fault)
    })
    if (isClean) all.set(what, [{ inputs, answers: [...this.lookups.values()], result }, ...findings].slice(0, kept))
    return result
  }

  private readonly made: Record<Made, Readonly<Record<string, object>>> = {
    'made entities': {},
    'made dictionaries': {},
  }
  /** Objects generated from files, by name: a run that looks one up depends on it. */
  watching<T extends object>(made: Made, table: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
    this.made[made] = table
    return this.watchTable(made, table)
  }

  private holds({ inputs, answers }: Finding, now: readonly unknown[]): boolean {
    return (
      isSameList(inputs, now) &&
      answers.every(({ question, name, answer }) => isSame(this.answer(question, name), answer))
    )
  }

  private answer(question: Question, name: string): unknown {
    switch (question) {
      // Only a permission's existence and whether it has its own label matter.
      case 'permissions':
        return this.names.permissions[name] && this.names.permissions[name].label !== undefined
      case 'structures of entities':
      case 'structures of dictionaries':
      case 'structures of screens':
        return this.names[question.slice('structures of '.length) as Structured][name]?.structure
      case 'entities':
      case 'dictionaries':
      case 'screens':
      case 'routes':
        return this.names[question][name]
      case 'variables':
        return this.names.variables(name || undefined)
      case 'screensOf':
        return this.names.screensOf(...fieldOf(name))
      case 'missingUses':
        return this.names.missingUses(name)
      case 'made entities':
      case 'made dictionaries':
        return this.made[question][name]
      case 'value': {
        const value = this.names[name as (typeof plainValues)[number]]
        return Array.isArray(value) ? value.join() : value
      }
      default:
        return this.keysOf(question.slice('keys of '.length) as Table | Made)
    }
  }

  private readonly keys = new Map<Table | Made, string>()
  private keysOf(table: Table | Made): string {
    let keys = this.keys.get(table)
    if (keys === undefined)
      this.keys.set(
        table,
        (keys = Object.keys(table in this.made ? this.made[table as Made] : this.names[table as Table]).join()),
      )
    return keys
  }

  private note(question: Question, name: string): void {
    const key = `${question} ${name}`
    if (!this.lookups.has(key)) this.lookups.set(key, { question, name, answer: this.answer(question, name) })
  }

  private watchTable<T extends object>(
    kind: Table | Made,
    table: Readonly<Record<string, T>>,
    question: Question = kind,
  ): Readonly<Record<string, T>> {
    const note = (name: string | symbol) => {
      if (typeof name === 'string') this.note(question, name)
    }
    return new Proxy(table, {
      get: (target, name) => (note(name), target[name as string]),
      has: (target, name) => (note(name), name in target),
      ownKeys: (target) => (this.note(`keys of ${kind}`, ''), Reflect.ownKeys(target)),
      getOwnPropertyDescriptor: (target, name) => {
        // A lookup that was answered with all keys depends on this one too.
        if (!this.lookups.has(`keys of ${kind} `)) note(name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
  }

  /** The names, recording each lookup. What a method looks up internally is recorded too, or its answer as a whole. */
  private watch(reading: Reading): Names {
    const { names } = this
    const note = (question: Question, name: string) => this.note(question, name)
    const methods: Pick<Names, 'variables' | 'isStored' | 'isQueried' | 'screensOf' | 'missingUses'> = {
      variables: (entity) => {
        note('variables', entity ?? '')
        return names.variables(entity)
      },
      isStored: (entity, field) => {
        note('structures of entities', entity)
        return names.isStored(entity, field)
      },
      isQueried: (entity, field) => {
        note('structures of entities', entity)
        note('variables', entity)
        return names.isQueried(entity, field)
      },
      screensOf: (entity, kind) => {
        note('screensOf', `${entity}.${kind}`)
        return names.screensOf(entity, kind)
      },
      missingUses: (procedure) => {
        note('missingUses', procedure)
        return names.missingUses(procedure)
      },
    }
    return Object.create(names, {
      ...Object.fromEntries(
        tables.map((table) => [
          table,
          {
            value: this.watchTable(
              table,
              names[table] as Record<string, object>,
              reading === 'structure' && isStructured(table) ? `structures of ${table}` : table,
            ),
          },
        ]),
      ),
      ...Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value }])),
      ...Object.fromEntries(plainValues.map((name) => [name, { get: () => (note('value', name), names[name]) }])),
    }) as Names
  }
}

/** Every answer is a new list, so its items are compared. */
const isSame = (now: unknown, then: unknown): boolean =>
  now === then || (Array.isArray(now) && Array.isArray(then) && isSameList(now, then))

const fieldOf = (name: string): [entity: string, field: string] => [
  name.slice(0, name.indexOf('.')),
  name.slice(name.indexOf('.') + 1),
]
