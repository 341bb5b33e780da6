import type { Names } from './names.ts'
import { kept } from './recall.ts'
import type { Report } from './report.ts'

/** A question to the names, and what they answered. */
interface Answer { of: Question; name: string; answer: unknown }
interface Finding { inputs: readonly unknown[]; answers: readonly Answer[]; result: unknown }

const tables = ['entities', 'dictionaries', 'screens', 'routes', 'permissions'] as const
type Table = typeof tables[number]
const plainValues = ['app', 'knowsRoutes', 'knowsPermissions', 'areas', 'roles', 'backends'] as const
type Question = Table | `keys of ${Table}` | 'value' | 'variables' | 'stored' | 'queried'

/** What was found of an object, the last ones first. */
const found = new WeakMap<object, Map<string, Finding[]>>()

/**
 * Works out again only what may come out differently. Each run is noted with what it asked the names; as long as its inputs and these
 * answers are the same, so is its result. Only a run that complained of nothing is kept: what is wrong is told each time, where it
 * stands now.
 *
 * This takes that what stands behind a name stays the same object as long as its file does, which `Names` sees to.
 */
export class Memory {
  private readonly names: Names
  private readonly watched: Names
  private readonly report: Report
  private asked = new Map<string, Answer>()

  constructor(names: Names, report: Report) {
    this.names = names
    this.report = report
    this.watched = this.watch()
  }

  /** What `run` gives for `of`, an object of a file that stays the same as long as the file does. */
  recall<T>(what: string, of: object, given: readonly unknown[], run: (names: Names, report: Report) => T): T {
    const { widgets, kinds, procedures } = this.names
    const inputs = [...given, widgets, kinds, procedures]
    const all = found.get(of) ?? new Map<string, Finding[]>()
    found.set(of, all)
    const findings = all.get(what) ?? []
    const known = findings.find((finding) => this.holds(finding, inputs))
    if (known) {
      if (known !== findings[0]) all.set(what, [known, ...findings.filter((finding) => finding !== known)])
      return known.result as T
    }
    let isClean = true
    this.asked = new Map()
    const result = run(this.watched, (...fault) => {
      isClean = false
      this.report(...fault)
    })
    if (isClean) all.set(what, [{ inputs, answers: [...this.asked.values()], result }, ...findings].slice(0, kept))
    return result
  }

  private holds({ inputs, answers }: Finding, now: readonly unknown[]): boolean {
    return inputs.length === now.length && inputs.every((input, index) => input === now[index])
      && answers.every(({ of, name, answer }) => this.answer(of, name) === answer)
  }

  private answer(of: Question, name: string): unknown {
    switch (of) {
      // Of a permission it matters that it is there and has a name of its own.
      case 'permissions': return this.names.permissions[name] && this.names.permissions[name].label !== undefined
      case 'entities': case 'dictionaries': case 'screens': case 'routes': return this.names[of][name]
      case 'variables': return this.names.variables(name || undefined)
      case 'stored': return this.names.isStored(...fieldOf(name))
      case 'queried': return this.names.isQueried(...fieldOf(name))
      case 'value': {
        const value = this.names[name as typeof plainValues[number]]
        return Array.isArray(value) ? value.join() : value
      }
      default: return this.keysOf(of.slice('keys of '.length) as Table)
    }
  }

  private readonly keys = new Map<Table, string>()
  private keysOf(table: Table): string {
    let keys = this.keys.get(table)
    if (keys === undefined) this.keys.set(table, keys = Object.keys(this.names[table]).join())
    return keys
  }

  private note(of: Question, name: string): void {
    const key = `${of} ${name}`
    if (!this.asked.has(key)) this.asked.set(key, { of, name, answer: this.answer(of, name) })
  }

  /** The names, noting each question. What a method asks on its way is noted too, or answered as a whole. */
  private watch(): Names {
    const { names } = this
    const note = (of: Question, name: string) => this.note(of, name)
    const table = (of: Table) => new Proxy(names[of] as Record<string, unknown>, {
      get: (target, name) => {
        if (typeof name === 'string') note(of, name)
        return target[name as string]
      },
      has: (target, name) => {
        if (typeof name === 'string') note(of, name)
        return name in target
      },
      ownKeys: (target) => {
        note(`keys of ${of}`, '')
        return Reflect.ownKeys(target)
      },
      getOwnPropertyDescriptor: (target, name) => {
        // Whoever was told all keys knows that this one is there.
        if (typeof name === 'string' && !this.asked.has(`keys of ${of} `)) note(of, name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    })
    const methods: Pick<Names, 'variables' | 'isStored' | 'isQueried'> = {
      variables: (entity) => {
        note('variables', entity ?? '')
        return names.variables(entity)
      },
      isStored: (entity, field) => {
        note('stored', `${entity}.${field}`)
        return names.isStored(entity, field)
      },
      isQueried: (entity, field) => {
        note('queried', `${entity}.${field}`)
        return names.isQueried(entity, field)
      },
    }
    return Object.create(names, {
      ...Object.fromEntries(tables.map((of) => [of, { value: table(of) }])),
      ...Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value }])),
      ...Object.fromEntries(plainValues.map((name) => [name, { get: () => (note('value', name), names[name]) }])),
    }) as Names
  }
}

const fieldOf = (name: string): [entity: string, field: string] => [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)]
