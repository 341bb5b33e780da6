/**
 * All warnings: what is legal in a schema file but probably a mistake. A message says what was found and what would be
 * right; `{…}` are parameters of the check. A file may give a reason under `meant` if one is intended.
 */
export const warningCatalogue = {
  // states
  'never-entered': 'Nothing leads to the state "{found}" of {entity}: no transition, and no formula that sets {field}.',
  'unreachable-state':
    'No record of {entity} can reach the state "{found}": every transition to it starts in an unreachable state.',
  'dead-end':
    'Nothing leads out of the state "{found}" of {entity}, and its tag does not say that it is an end ("success", "danger" or "info").',
  'idle-transition': '"{found}" leads from "{state}" to "{state}": for those records it changes nothing.',
  'contradicting-guard': '{what} refuses every record that "{found}" applies to: their {field} is {states}.',
  'own-state-in-form': 'The form of "{found}" prompts for {field}, which the transition itself sets to "{state}".',
  'own-state-in-set':
    '"set" of "{found}" writes "{value}" to {field}, but the transition leads to "{state}": say the state in "to" alone.',
  'open-state':
    'Forms and imported files may set {field} to any state, bypassing the transitions of {entity}: "readOnly": true leaves it to them.',
  'past-transitions': '"{act}" {what} of {field}, bypassing the transitions of {entity}: {instead} instead.',
  'idle-update': '"{act}" cannot change {entity}.{found}: it is computed.',
  'nothing-to-enter':
    'The form of "{act}" prompts for nothing: {found} is computed, so users only see it. Add a field of {entity} for them to fill in, or omit the form.',
  'hidden-prompt': 'The form of "{act}" never shows {found}: its "visibleWhen" is {condition}, but {known}.',
  'nothing-before': 'A new {entity} had no values before: {found} is always empty here.',
  'idle-step': '"{found}" has no effect here: a record is created before any other step. Put "{found}" first.',
  // values
  'crossed-bounds': 'No value is allowed: {lower} is {least}, but {upper} is {most}.',
  'unmatchable-pattern': 'The pattern needs at least {least} characters, but "maxLength" is {most}.',
  'share-for-percent': '{found} means {found}% here: percentages are written in points, so 6 means 6%.',
  'inexact-amount': 'Write amounts as text, which is exact: "{suggestion}" instead of {found}.',
  'record-by-id': '{found} means the {entity} with that id, but ids differ from one database to the next. {instead}.',
  'unrounded-quotient':
    '{entity}.{found} stores {places} decimals, but a quotient may have any number. Say how it is rounded: round({quotient}, {places}).',
  'rounded-source':
    '{entity}.{found} stores only {places} of the {more} decimals of {other}. Give it as many, or round in a formula.',
  'crossed-range': 'Nothing lies between {from} and {to}: write the earlier or smaller of the two first.',
  'empty-values': 'The list of values is empty, so no record ever matches.',
  // conditions
  'unlisted-choice':
    'No file declares the value "{found}" of {dictionary}: this only holds if an administrator adds it.',
  'refused-literal': '{entity}.{field} never holds {found}{why}.',
  'impossible-day': '"{found}" is not a date: dates are written 2026-03-11.',
  'always-true': 'This is always true: {found}{why}.',
  'never-true': 'This is never true: {found}{why}.',
  'two-at-once': '{field} cannot be both "{found}" and "{other}": for either of them, write {either}.',
  'contradicting-daily': 'No record can match: {reason}.',
  'unlisted-role': 'No role that comes with the files has the code "{found}".',
  'idle-search': 'The search box finds nothing: {entity} has no "search", which names the fields to look in.',
  // imports
  'missing-column':
    'A row that adds a new {entity} is always refused: {found} is required, and the import has no column for it.',
  'idle-column': 'Nothing is written from the column "{found}": {entity}.{found} is computed.',
  'refused-column':
    'A row that fills in "{found}" is refused: {entity}.{found} is read-only, and no transition of the import prompts for it.',
  'refused-sample': 'The column itself refuses its sample {found}: {message}.',
  'ambiguous-key': 'A row may match several records: {found} is not unique among those of {entity}.',
  'missing-details':
    'Nobody can see the rows of a file: no importDetail screen has "of": "{found}", and "details" is missing.',
  // fields
  'unset-field': '{entity}.{found} is read-only and required, but nothing ever sets it.',
  'late-field':
    '{entity}.{found} is required, but a new {entity} does not have it: only {only}. Write "required" in the form of that step instead, or "requiredWhen" for the states that follow.',
  'idle-key': '"{found}" does nothing here: {reason}.',
  'hidden-required': '{entity}.{found} is required in each row, but is not one of the columns that users fill in.',
  'visible-by-itself': 'Once hidden, {entity}.{found} stays hidden, because a hidden field is empty.',
  'unshown-field': '{entity}.{found} is {where}: nobody can fill it in, and nothing else does.',
  'searched-secret':
    '{entity}.{found} is sensitive: searching for a part of it finds nothing, and for all of it only if the user may see it.',
  'sorted-secret':
    '{entity}.{found} is sensitive: the order reveals its values, roughly, to users who may not see them. Sort by another field.',
  'incomplete-record': 'The {entity} that is added here lacks {found}, which must not be empty: give it under "set".',
  'hidden-by-section':
    '{entity}.{found} is required {when}, but its section is shown only while {condition}: otherwise nobody can fill it in. Give both the same "visibleWhen".',
  // texts
  'swapped-languages': 'The texts in "{language}" and "{other}" seem to be swapped.',
  untranslated: 'The text in "{language}" reads like another language.',
  'same-label': '{entity}.{found} has the same label as {entity}.{other}: users cannot tell them apart.',
  'same-choice-label': '"{found}" has the same label as "{other}": users cannot tell them apart.',
  'uneven-placeholders': 'The text in "{language}" has the placeholder "{found}", but that in "{other}" does not.',
  'unbrought-text':
    '"{found}" is shown untranslated in every language: add it as "{language}" to "brought" of {entity}.{field}.',
  // screens, messages and roles
  'foreign-id': '{screen} shows records of {entity}, but "{found}" is the id of a {other}.',
  'unreceived-message': 'No role that comes with the files receives messages of the type "{found}".',
  'unsent-message': 'Nothing sends messages of the type "{found}": no "notify" of the files, and no procedure.',
  'edit-without-view': 'The role {role} may {word} records that it may not see: it lacks "{found}".',
  'undivided-job':
    '"{found}" names a procedure in "job", which divides what "run" does to all records at once, but the action has no "run", or has an "update" as well.',
  'idle-action': '"{found}" does nothing: it has no {keys}.',
  'idle-effect':
    '"{found}" of "{act}" does nothing by itself: an action with "run" and without "update" leaves everything to its procedure. Unless the procedure makes it, move it there, or name the fields that the action itself changes under "update".',
  'unoffered-action':
    'No screen offers "{found}" of {entity}: name it under "actions" of a list, a detail or a form, or remove it.',
  'hidden-amount':
    'Users add up {found}, but the dialogs of {acts} show no amount of the {entity}: name what must be checked under "facts".',
  'unforeseen-action':
    '"{found}" runs a procedure on records of {entity} that nobody has chosen: with "foresee": true, its dialog says what it would do before the user confirms.',
  'open-badge':
    'Everybody who may open the screen sees this badge, whether or not the work is theirs: say in "permission" who does it.',
  'narrowed-badge':
    'The badge counts records that the list hides when it opens, because {found} has an initial value there: give the list a tab that shows the counted records, and name {found} under its "clears".',
  'foreign-permission':
    'The badge counts records of {entity}, but "{found}" is a permission for {other}: some users who may see the records do not get the badge, and others do.',
  'same-menu-order': 'Another menu entry here also has the order {found}: which comes first is undefined.',
  'same-menu-title':
    'Another menu entry here has the same title: users cannot tell them apart. Give one of them a "label" under "menu".',
  'same-tab':
    'The {what} "{found}" shows the same as the {what} "{other}": remove one of them, or let it show something else.',
  'numbers-as-names':
    'Records of {entity} would be named by a number: {found} does not say which record is meant. Name a text under "display".',
  'unused-file': 'Nothing uses the {what} "{found}": no screen and no field names it{why}.',
  'misplaced-file': 'The file is in the folder "{folder}", but {reason}.',
  'shown-twice': '{found} is in the header already.',
  // families
  'replaced-value': '"{found}" is unknown; "{fallback}" is used instead.',
  'idle-parameter': '{message}.',
  // reasons
  'idle-reason': 'There is no such warning here: remove the reason for "{found}".',
} as const satisfies Record<string, string>

export type WarningCode = keyof typeof warningCatalogue
