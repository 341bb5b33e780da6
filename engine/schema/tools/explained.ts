import type { Lists } from '../compile.ts'
import type { ActionPlan, Catalog, Label, ScreenPlan } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { ExpandedFile, Names } from '../named.ts'

/** A position in a file; `note` if a family or another file generated it from there. */
export interface Where {
  file: string
  line: number
  note?: string
}
export interface ExplainedLine {
  text: string
  at?: Where
}
export interface ExplainedSection {
  title: string
  lines: ExplainedLine[]
}
/**
 * The explanation of a screen, a field, a permission or anything else with a name: where each part comes from, its
 * result, and who may use it.
 */
export interface Explanation {
  kind:
    | 'screen'
    | 'field'
    | 'permission'
    | 'family'
    | 'template'
    | 'entity'
    | 'dictionary'
    | 'value'
    | 'action'
    | 'transition'
    | 'download'
    | 'message'
    | 'role'
    | 'procedure'
    | 'area'
  name: string
  label: Label
  at?: Where
  sections: ExplainedSection[]
}

/** A role, what it grants, and where that is declared, unless it is from a database. */
export interface GivenRole {
  code: string
  label?: Label
  patterns: readonly string[]
  at?: ExplainedLine['at']
}

/** The roles with one of these permissions, each with what grants it. */
export type WhoMay = (...permissions: string[]) => ExplainedLine[]

/** The inputs of explanations. */
export interface Known {
  catalog: Catalog
  files: readonly ExpandedFile[]
  names: Names
  lists: Lists
  /** The position of a pointer of a file, whether written or generated. */
  where(file: SourceFile, pointer?: string, key?: boolean): Where
  fileOf(kind: string, name: string): ExpandedFile | undefined
  roles: readonly GivenRole[]
  whoMay: WhoMay
}

/** Only sections with lines. */
export const sections = (given: Record<string, ExplainedLine[]>): ExplainedSection[] =>
  Object.entries(given)
    .filter(([, lines]) => lines.length)
    .map(([title, lines]) => ({ title, lines }))

export const text = (label: Readonly<Record<string, string>>): string => Object.values(label).join(' · ')

export const plansOf = (screen: ScreenPlan): ScreenPlan[] =>
  screen.variants ? Object.values(screen.variants.plans) : [screen]

/** Every button in a plan, including those of a review. */
export function actionsIn(body: unknown): ActionPlan[] {
  if (typeof body !== 'object' || body === null) return []
  const own = 'permission' in body && 'do' in body && 'name' in body ? [body as ActionPlan] : []
  return [...own, ...Object.values(body).flatMap(actionsIn)]
}

/** The line of a screen's file that names the action. */
export function placeOfAction(name: string, screen: ScreenPlan, { fileOf, where }: Known) {
  const { source } = fileOf(screen.kind, screen.name.split('.')[0])!
  const pointer = pointerOf(source.data, name)
  return where(source, pointer ?? '')
}

function pointerOf(data: unknown, name: string, pointer = '', under = ''): string | undefined {
  if (data === name && ['actions', 'review', 'action'].includes(under)) return pointer
  if (typeof data !== 'object' || data === null) return undefined
  for (const [key, item] of Object.entries(data)) {
    const found = pointerOf(item, name, below(pointer, key), Array.isArray(data) ? under : key)
    if (found !== undefined) return found
  }
  return undefined
}
