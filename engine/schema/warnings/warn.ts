/**
 * All warnings: those of single files, for each file without issues, and those of all files together, if none has an
 * issue.
 */
import { checkIdle } from '../families/checkRules.ts'
import { checkReplaced } from '../families/familyChoices.ts'
import type { Issue } from '../issues/issue.ts'
import { Memory } from '../memory/memory.ts'
import { below } from '../../model/pointer.ts'
import { Reporter, type Report } from '../issues/report.ts'
import { checkActions, checkOffered, checkSaves, checkSteps } from './actions.ts'
import { checkAddedRecords, checkSets } from './addedRecords.ts'
import { checkAmounts } from './amounts.ts'
import { checkPrompts } from './prompts.ts'
import { checkBounds, checkWritten } from './bounds.ts'
import { checkPlaces, checkQuotients } from './places.ts'
import { checkBroughtTexts } from './broughtTexts.ts'
import { checkConditions, checkDaily } from './conditions.ts'
import { checkFolders, checkUnused } from './files.ts'
import { checkDisplay, checkFields, checkUnset, checkUnshown, checkVisibility } from './fields.ts'
import { isBrought, type CheckContext, type Warn, type Whole } from './checkContext.ts'
import { placeOf, reasonAt, reasonsIn, reasonsKey } from './reasons.ts'
import { checkReceivers, checkRoles, checkSenders } from './roles.ts'
import { checkSameMeasures, checkSameTabs, checkSameTransitions } from './duplicates.ts'
import { checkIds, checkKinds, checkMenu } from './screens.ts'
import { checkBadges } from './badges.ts'
import { checkSections } from './sections.ts'
import { checkSorts } from './sorts.ts'
import { checkStates } from './states.ts'
import { checkLanguages, checkSameLabels, checkTexts } from './texts.ts'
import { checkUnforeseen } from './unforeseen.ts'
import { filledBy, usesOf } from './uses.ts'
import { writesOf } from './writes.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { Families } from '../../model/model.ts'
import type { Family } from '../families/generate.ts'
import type { WarningCode } from './catalogue.ts'
import type { ExpandedFile, NamedScreen, Names } from '../named.ts'

/** Warnings that depend on one file and what its names mean. */
const ofFile = [
  checkBounds,
  checkConditions,
  checkTexts,
  checkBroughtTexts,
  checkSameTabs,
  checkSameMeasures,
  checkIds,
  checkAddedRecords,
  checkSets,
  checkSections,
  checkSorts,
]
const ofEntity = [
  checkWritten,
  checkPlaces,
  checkQuotients,
  checkDisplay,
  checkDaily,
  checkFields,
  checkSameLabels,
  checkSameTransitions,
  checkActions,
  checkSteps,
  checkSaves,
  checkPrompts,
]
/** Warnings that depend on what any file sets. */
const ofWrites = [checkStates, checkUnset, checkVisibility]
const ofAll = [
  checkUnshown,
  checkLanguages,
  checkKinds,
  checkReceivers,
  checkSenders,
  checkOffered,
  checkAmounts,
  checkUnforeseen,
  checkRoles,
  checkMenu,
  checkBadges,
  checkUnused,
  checkFolders,
]

export interface Given {
  files: readonly ExpandedFile[]
  families: readonly Family[]
  sets: Families
  names: Names
  isClean(file: SourceFile): boolean
  /** Present if there are no issues. */
  catalog?: object
  /** Runs the warnings of a screen's kind. */
  doubtOf(screen: NamedScreen, warn: Warn): void
}

export function warningsOf({ files, families, sets, names, isClean, catalog, doubtOf }: Given): Issue[] {
  const reporter = new Reporter()
  const used = new Set<string>()
  const reportWarning: Report = (file, pointer, code, parameters, part) => {
    reporter.issueAt(file, pointer, code, parameters, part).place = placeOf(pointer)
  }
  const memory = new Memory(names, reportWarning)
  const warn = warner(reportWarning, (key) => used.add(key))
  const warnOfFamily: Report = (file, pointer, code, ...details) => warn(file, pointer, code as WarningCode, ...details)
  checkReplaced(families, warnOfFamily)
  checkIdle({ known: families, families: sets, report: warnOfFamily })
  const context = { names, warn, writes: writesOf(files, names) }
  const written = files.filter(({ source, sound }) => sound && !isBrought(source) && isClean(source))
  const entityOf = (among: Names, source: SourceFile) =>
    source.kind === 'entity' && among.entities[source.name]?.source === source ? among.entities[source.name] : undefined
  for (const file of written) {
    const { source, value } = file
    const reasons = memory.recall('warnings', source, [value], (among, report) => {
      const keys: string[] = []
      const watchedContext: CheckContext = { names: among, warn: warner(report, (key) => keys.push(key)) }
      for (const check of ofFile) check(file, watchedContext)
      const entity = entityOf(among, source)
      if (entity) for (const check of ofEntity) check(entity, watchedContext)
      return keys
    })
    for (const key of reasons) used.add(key)
    const entity = entityOf(names, source)
    if (entity) for (const check of ofWrites) check(entity, context)
  }
  if (catalog) {
    const inAll = (word: string, usesIn: typeof usesOf) =>
      new Set(
        files.flatMap((file) =>
          memory.recall(word, file.source, [file.value], (among) => [...usesIn(file, among)], 'structure'),
        ),
      )
    const [uses, filled] = [inAll('uses', usesOf), inAll('filled', filledBy)]
    const whole: Whole = { ...context, files, families, uses, filled, doubtOf: (screen) => doubtOf(screen, warn) }
    for (const check of ofAll) check(whole)
    checkReasons([...files, ...families], used, reporter)
  }
  return reporter.sorted()
}

/** Reports warnings without a reason, and records which reasons are used. */
const warner =
  (report: Report, note: (key: string) => void): Warn =>
  (file, pointer, code, parameters, part) => {
    const reason = reasonAt(file, code, pointer)
    if (reason === undefined) report(file, pointer, code, parameters, part)
    else note(keyOf(file, code, reason))
  }

/** One reason may cover everything generated from its template. */
const keyOf = (file: SourceFile, code: string, place: string): string => {
  const pointer = below(below(`/${reasonsKey}`, code), place)
  const origin = file.generated?.origin(pointer)
  return `${(origin?.file ?? file).path}${origin?.pointer ?? pointer}`
}

/** Reports reasons that no warning needs. */
function checkReasons(files: readonly { source: SourceFile }[], used: ReadonlySet<string>, reporter: Reporter): void {
  const reported = new Set<string>()
  for (const { source } of files) {
    for (const [code, place] of isBrought(source) ? [] : reasonsIn(source)) {
      const key = keyOf(source, code, place)
      if (used.has(key) || reported.has(key)) continue
      reported.add(key)
      const pointer = below(below(`/${reasonsKey}`, code), place)
      reporter.issueAt(source, pointer, 'idle-reason', { found: place }, { key: true }).place = placeOf(pointer)
    }
  }
}
