import { nearestName } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { Report } from '../issues/report.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { MissingUse, NamedEntity, Names } from '../named.ts'

/** A place that names a procedure. */
export interface Run {
  procedure: string
  pointer: string
}

/**
 * Checks that what the server's procedures read and write is declared. A missing field is reported once, where it would
 * be declared, and not at every procedure.
 */
export function checkUses(runs: readonly (Run & { source: SourceFile })[], names: Names, report: Report): void {
  const found = new Map<string, MissingUse & { procedures: string[]; run: (typeof runs)[number] }>()
  const first = new Map(runs.toReversed().map((run) => [run.procedure, run]))
  for (const [procedure, run] of [...first].reverse()) {
    for (const use of names.missingUses(procedure)) {
      const key = `${use.entity}.${use.field ?? ''}`
      const known = found.get(key)
      if (known) known.procedures.push(procedure)
      else found.set(key, { ...use, procedures: [procedure], run })
    }
  }
  const missing = [...found.values()].map((use) => {
    const { entity, field, now } = use
    return {
      ...use,
      likely: field === undefined ? undefined : (now ?? likelyName(field, names.entities[entity], names)),
    }
  })
  const placeOf = ({ entity, field }: MissingUse) => `${names.entities[entity].source.generated?.named}.${field}`
  const placed = new Set(missing.filter(({ likely }) => likely !== undefined).map(placeOf))
  for (const use of missing) {
    const { entity: name, field, now, procedures, run, likely, isOptional } = use
    const who = subject(procedures)
    if (field === undefined) {
      report(run.source, run.pointer, 'procedure-entity', { found: name, who })
      continue
    }
    // If only some families have the field, the others are not searched for its new name.
    if (isOptional && likely === undefined && placed.has(placeOf(use))) continue
    const entity = names.entities[name]
    const at = likely === undefined ? '/fields' : below('/fields', likely)
    report(
      entity.source,
      at,
      'procedure-field',
      { found: field, entity: name, who, which: which(field, now, likely) },
      { key: true },
    )
  }
}

function which(field: string, now: string | undefined, likely: string | undefined): string {
  if (now !== undefined) return `which is called "${now}" now: the code must follow`
  return likely === undefined
    ? 'which no file declares: a developer must change the code first'
    : `which no file declares. If it is called "${likely}" now, say "was": "${field}" there; the code must follow`
}

const mostNamed = 3

function subject(procedures: readonly string[]): string {
  if (procedures.length === 1) return `The procedure "${procedures[0]}" uses`
  const shown = procedures.length > mostNamed + 1 ? procedures.slice(0, mostNamed) : procedures.slice(0, -1)
  const others = procedures.length - shown.length
  const last = others === 1 ? `"${procedures.at(-1)}"` : `${others} others`
  return `The procedures ${shown.map((name) => `"${name}"`).join(', ')} and ${last} use`
}

/** The field that probably has the new name: the most similar of those that no procedure uses. */
function likelyName(field: string, { name, source, fields }: NamedEntity, { uses = {} }: Names): string | undefined {
  const isMeant = (pattern: string) => pattern === name || pattern === source.generated?.named
  const used = new Set(
    Object.values(uses).flatMap((use) =>
      Object.entries(use).flatMap(([pattern, all]) =>
        isMeant(pattern) ? all.map((each) => each.replace(/\?$/, '')) : [],
      ),
    ),
  )
  const written = isObject(source.data) && isObject(source.data.fields) ? source.data.fields : {}
  const candidates = Object.keys(fields).filter((each) => each in written && !used.has(each))
  const near = nearestName(field, candidates)
  if (near !== undefined) return near
  const alike = candidates
    .map(
      (candidate) => [candidate, sharedWords(field, [candidate, ...textsOf(fields[candidate].value.label)])] as const,
    )
    .filter(([, count]) => count > 0)
  const most = Math.max(0, ...alike.map(([, count]) => count))
  const best = alike.filter(([, count]) => count === most)
  return best.length === 1 ? best[0][0] : undefined
}

const wordsOf = (name: string) => name.split(/\s+|(?=[A-Z])/).map((word) => word.toLowerCase())
/** A field's label rarely changes with its name. */
const textsOf = (label: unknown) => (isObject(label) ? Object.values(label).map(String) : [])

function sharedWords(name: string, others: readonly string[]): number {
  const words = new Set(others.flatMap(wordsOf))
  return wordsOf(name).filter((word) => words.has(word)).length
}
