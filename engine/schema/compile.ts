/**
 * The schema files → the catalog, or all of their issues.
 *
 *   SourceText[]
 *      │  read      one file   text → data; syntax, duplicate keys, names and kinds of files
 *      │  families  templates and their parameters → files like any other
 *      │  bring     screens that generate further files → those files
 *      │  check     one file   data against the declared shape of its kind; labels in every language
 *      │  expand    one file   shorthands written out, defaults filled in, the fields that every record has
 *      │  link      all files  every name resolved; expressions parsed and type-checked; values accepted by their fields;
 *      │            unique where required
 *      ▼  assemble  all files  linked files → plans: entities, screens, tables, permissions, presets
 *   Catalog
 *
 * Nothing here touches Node, React or a database. A phase continues after issues, so that one run reports all of them.
 * Only linked files are assembled; if only screens have issues, the others are still assembled, for the issues of their
 * kinds.
 */
import { userEntity } from '../model/identityNames.ts'
import { assemble, doubtScreen } from './assemble.ts'
import { withBroughtFiles } from './memory/withBroughtFiles.ts'
import { check } from './check.ts'
import { checkEndpoints } from './linking/endpoints.ts'
import { expand } from './expand.ts'
import { expandFamilies } from './families/family.ts'
import { checkFamilyChoices } from './families/familyChoices.ts'
import { languagePattern } from './language/appShape.ts'
import { fileShapes } from './language/fileShapes.ts'
import { hashOfParts } from './memory/hash.ts'
import { sentence, type Issue } from './issues/issue.ts'
import { checkUses } from './linking/checkUses.ts'
import { link } from './link.ts'
import { Memory } from './memory/memory.ts'
import type { Catalog, Families, ScreenKind, Widget } from '../model/model.ts'
import { assemblePresets } from './linking/presets.ts'
import { readSources } from './read.ts'
import { checkCycles } from './linking/computedCycles.ts'
import { checkRelations } from './linking/relations.ts'
import { Reporter } from './issues/report.ts'
import { checkLost } from './linking/route.ts'
import { checkReads, type EngineReads } from './linking/reads.ts'
import { checkApp, checkParents, checkScreen } from './linking/screens.ts'
import { isObject } from './walk.ts'
import type { WarningCode } from './warnings/catalogue.ts'
import { warningsOf } from './warnings/warn.ts'
import type { SourceFile, SourceText } from './reading/SourceFile.ts'
import type { Family } from './families/generate.ts'
import type { ExpandedFile, NamedScreen, Names, ProcedureUses } from './named.ts'
import { FileNames } from './names.ts'

export interface Lists {
  widgets: Readonly<Record<string, Widget>>
  kinds: Readonly<Record<string, ScreenKind>>
  /** Names of the procedures in src/procedures. */
  procedures: readonly string[]
  /** What the procedures read and write, as far as they are typed. */
  uses?: ProcedureUses
  /** The types of the messages that procedures and the engine send; without them, files need not send all. */
  sends?: readonly string[]
  /**
   * Reports every text that lacks a language in which no text exists yet; by default only app.json is reported, once.
   */
  fillsLanguages?: true
  /** What the engine itself reads, if it is to serve these files. */
  reads?: EngineReads
}
/** `catalog` is present only if there are no issues. */
export interface Compiled {
  catalog?: Catalog
  issues: Issue[]
}

export const compile = (sources: readonly SourceText[], lists: Lists): Compiled => compileAll(sources, lists).compiled

/** The same, with warnings. */
export function compileWithWarnings(sources: readonly SourceText[], lists: Lists): Compiled & { warnings: Issue[] } {
  const { compiled, expanded, names, reporter, known, families } = compileAll(sources, lists)
  const { catalog, issues } = compiled
  // Generated files may lack what a broken family would have provided.
  if (issues.some(({ file, code }) => code === 'template-fault' || /\.(family|template)\.json$/.test(file)))
    return { ...compiled, warnings: [] }
  const warnings = warningsOf({
    files: expanded,
    families: known,
    sets: families,
    names,
    catalog,
    isClean: (file) => reporter.isClean((other) => other === file),
    doubtOf: (screen, warn) =>
      doubtScreen(screen, names, catalog!, (code, ...details) =>
        warn(screen.source, details[0], code as WarningCode, details[1]),
      ),
  })
  // If a screen has the wrong entity, links to it are not at fault.
  const isOfWrong = issues.some(({ code }) => code === 'foreign-fields')
  return { ...compiled, warnings: warnings.filter(({ code }) => !isOfWrong || code !== 'foreign-id') }
}

function compileAll(sources: readonly SourceText[], lists: Lists) {
  const reporter = new Reporter()
  const { report } = reporter
  const { files: expanded, names, families, known } = nameAll(sources, lists, reporter)
  const memory = new Memory(names, report)
  const linked = expanded.map((file) => ({
    source: file.source,
    ...memory.recall(
      'link',
      file.source,
      [file.value],
      (among, reportIssue) => link(file, among, reportIssue),
      'structure',
    ),
  }))
  checkUses(
    linked.flatMap(({ source, runs }) => runs.map((run) => ({ ...run, source }))),
    names,
    report,
  )
  checkLost(
    linked.flatMap(({ source, lost }) => lost.map((link) => ({ ...link, source }))),
    names,
    report,
  )
  for (const entity of Object.values(names.entities)) {
    if (entity.sound)
      memory.recall(
        'relations',
        entity,
        [],
        (among, reportIssue) => checkRelations(entity, among, reportIssue),
        'structure',
      )
  }
  for (const screen of Object.values(names.screens)) if (screen.sound) checkScreen(screen, names, report)
  checkCycles(names, report)
  checkParents(names, report)
  checkEndpoints(names, report)
  checkApp(names, expanded, report)
  checkReads(lists.reads ?? {}, names, expanded, report)
  const presets = assemblePresets(expanded, names, memory)

  // Screens refer to each other, so the entity of each must be known first.
  const isKnown = ({ sound, entity, about }: NamedScreen) =>
    sound && [entity, about].every((each) => each === undefined || Object.hasOwn(names.entities, each))
  const catalog =
    reporter.isClean(({ kind }) => !(kind in lists.kinds)) && Object.values(names.screens).every(isKnown)
      ? { ...assemble(expanded, names, presets, reporter, memory), families }
      : undefined
  const issues = reporter.sorted()
  const compiled: Compiled = {
    ...(catalog && issues.length === 0 && { catalog: { hash: hashOfParts(catalog), ...catalog } }),
    issues,
  }
  return { compiled, expanded, names, reporter, known, families }
}

/**
 * All files, generated ones included, and everything that a name can refer to, before anything is linked.
 */
export function nameAll(
  sources: readonly SourceText[],
  lists: Lists,
  reporter: Reporter,
): { files: ExpandedFile[]; names: Names; families: Families; known: readonly Family[] } {
  const { report } = reporter
  const shapes = fileShapes(lists.widgets, lists.kinds)

  const read = readSources(sources, Object.keys(shapes), reporter)
  const app = read.find(({ kind }) => kind === 'app')
  if (!app) {
    reporter.add({ path: 'app.json', text: '' }, 0, 0, 'missing-app', sentence('missing-app', {}))
  }
  const languages = writtenIn(languagesOf(app), app, sources, lists, report)
  const { files: made, families, known } = expandFamilies(read, languages, report)
  const files = distinct(withBroughtFiles(made, lists.kinds), reporter).map(asBefore)
  const hasUser = files.some(({ kind, name }) => kind === 'entity' && name === userEntity)
  const expanded = files.map((source): ExpandedFile => {
    const shape = shapes[source.kind]
    const sound = !source.broken && check(source, shape, languages, report)
    return { source, shape, sound, value: expand(source, shape, hasUser, report) }
  })

  const names = new FileNames(expanded, lists, reporter.unnamed)
  checkFamilyChoices(known, names, report)
  return { files: expanded, names, families, known }
}

/** A file with the same name and content is the same object in every later compilation. */
const known = new WeakMap<object, SourceFile>()
function asBefore(file: SourceFile): SourceFile {
  const { data, generated } = file
  if (!isObject(data) || file.broken) return file
  const before = known.get(data)
  const same =
    before &&
    (['path', 'text', 'folder', 'area', 'name', 'kind'] as const).every((key) => before[key] === file[key]) &&
    before.generated?.note === generated?.note &&
    before.generated?.template === generated?.template
  if (same) {
    // The positions of its values in the family's file may have moved.
    before.generated = generated
    return before
  }
  known.set(data, file)
  return file
}

function languagesOf(app: SourceFile | undefined): string[] {
  const languages = isObject(app?.data) ? app.data.languages : undefined
  return Array.isArray(languages) && languages.every((language) => typeof language === 'string')
    ? languages
    : ['cn', 'en']
}

/** The languages that some text is in; app.json may name one before anything is translated. */
function writtenIn(
  languages: readonly string[],
  app: SourceFile | undefined,
  sources: readonly SourceText[],
  { fillsLanguages }: Lists,
  report: Reporter['report'],
): string[] {
  const others = sources.filter(({ path }) => path !== app?.path)
  const isLanguage = (language: string) => new RegExp(languagePattern).test(language)
  const hasTexts = (language: string) => others.some(({ text }) => text.includes(`"${language}":`))
  const { title, languages: written } = isObject(app?.data) ? app.data : {}
  const left = Object.keys(isObject(title) ? title : {}).filter((each) => !languages.includes(each) && isLanguage(each))
  // The language of all texts that is missing from the list is one mistake, not one for each text.
  const unlisted = Array.isArray(written) ? left.filter(hasTexts) : []
  const unused = languages.filter(
    (language) => isLanguage(language) && !fillsLanguages && others.length > 0 && !hasTexts(language),
  )
  const isRenamed = unlisted.length === 1 && unused.length === 1
  if (app && !isRenamed)
    for (const found of unlisted) report(app, '/languages', 'unknown-language', { found, allowed: languages })
  if (app)
    for (const found of unused) {
      const meant = isRenamed && { suggestion: unlisted[0] }
      report(app, `/languages/${languages.indexOf(found)}`, 'unused-language', { found, ...meant })
    }
  // The shape check reports codes that are not languages at all.
  return [...languages.filter((language) => isLanguage(language) && !(app && unused.includes(language))), ...unlisted]
}

/**
 * Of two files with one name and kind, the later one is reported and left out. A screen is identified by both, whatever
 * its area.
 */
function distinct(files: readonly SourceFile[], reporter: Reporter): SourceFile[] {
  const seen = new Map<string, SourceFile>()
  return files.filter((file) => {
    const key = `${file.name}.${file.kind}`
    const other = seen.get(key)
    if (!other || file.kind === 'records') seen.set(key, file)
    else reporter.report(file, '', 'duplicate-name', { kind: file.kind, found: file.name, see: other.path })
    return !other || file.kind === 'records'
  })
}
