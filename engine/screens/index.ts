/** All screen kinds: the pure halves. The React halves are listed in views.ts. */
import type { ScreenKind } from '../model/model.ts'
import { board } from './board/board.ts'
import { detail } from './detail/detail.ts'
import { form } from './form/form.ts'
import { importDetail } from './importDetail/importDetail.ts'
import { imports } from './imports/imports.ts'
import { list } from './list/list.ts'
import { report } from './report/report.ts'
import { settings } from './settings/settings.ts'
import { tabs } from './tabs/tabs.ts'

const all: ScreenKind[] = [board, detail, form, importDetail, imports, list, report, settings, tabs]

export const kinds: Record<string, ScreenKind> = Object.fromEntries(all.map((kind) => [kind.kind, kind]))
