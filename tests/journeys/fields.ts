/** Fills in and reads the fields of a form or a dialog. */
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { isSame } from '../../engine/expression/normalizeRecord.ts'
import type { Field, RecordData, Value } from '../../engine/model/model.ts'
import { bare, catalog, textOf, widgets } from './catalog.ts'
import { fill } from './controls.ts'
import type { Filling } from './fillings.ts'

/** Enters all values, each under its label there, and waits for uploads. */
export async function fillIn(scope: Locator, fillings: Filling[], labelOf: (field: Field) => string): Promise<void> {
  for (const { field, entry, cells } of fillings) {
    const label = labelOf(field)
    // Narrows the scope, because a look-up by role searches all of it.
    const own = scope.locator(`[data-field="${field.name}"]`)
    const part = (await own.count()) === 1 ? own : scope
    if (cells) {
      await part.getByRole('button', { name: `添加一行 ${label}`, exact: true }).click()
      await fillIn(part, cells, (cell) => `第1行 ${cell.label.cn}`)
      continue
    }
    await fill(part, label, entry)
    const again = part.getByRole('textbox', { name: `${label} 请再次输入`, exact: true })
    if ((await again.count()) > 0) await again.fill(String(entry))
  }
  await expect.poll(() => uploadsIn(scope), { message: 'uploads' }).toBe(0)
}

/** The number of uploads in progress; a percentage among the facts of a record is not one. */
const uploadsIn = (scope: Locator): Promise<number> =>
  scope.evaluate(
    (element) =>
      [...element.querySelectorAll('*')].filter(
        (each) => /^\d+%$/.test(each.textContent) && each.children.length === 0 && !each.closest('dl'),
      ).length,
  )

export interface Shown {
  state: 'read' | 'required' | 'optional'
  entries: string[]
  text: string
  isOn: boolean
}

/** Every field that a form shows, in order. */
export const shownIn = async (form: Locator): Promise<Map<string, Shown>> =>
  new Map(
    await form.evaluate((element) =>
      [...element.querySelectorAll<HTMLElement>('[data-field]')].map((item): [string, Shown] => [
        item.dataset.field!,
        {
          state: item.matches('.form-item-reading')
            ? 'read'
            : item.querySelector('[title="必填"], [title="required"]')
              ? 'required'
              : 'optional',
          entries: [...item.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(
            (input) => input.value,
          ),
          text: [
            item.innerText,
            ...[...item.querySelectorAll('[title], [aria-label]')].map(
              (each) => `${each.getAttribute('title') ?? ''}\n${each.getAttribute('aria-label') ?? ''}`,
            ),
          ].join('\n'),
          isOn: item.querySelector('[role="switch"][aria-checked="true"]') !== null,
        },
      ]),
    ),
  )

/** Whether the field shows the value, in its control or as text. */
export function shows(field: Field, value: Value, shown: Shown | undefined): boolean {
  if (!shown) return false
  const widget = widgets[field.type]
  const target = widget.target?.(field.options)
  if (target?.rows) {
    const { fields } = catalog.entities[target.entity]
    const columns = (field.options.columns as string[]).filter(
      (name) => widgets[fields[name].type].expression !== 'boolean',
    )
    return (value as RecordData[]).every((row) =>
      columns.every((name) => (row[name] ?? null) === null || shows(fields[name], row[name]!, shown)),
    )
  }
  if (widget.protect) return true
  if (widget.expression === 'boolean' && shown.state !== 'read') return shown.isOn === value
  const has = (text: string) => bare([shown.text, ...shown.entries].join('\n')).includes(bare(text))
  if (Array.isArray(value) && !widget.files) return value.every((each) => has(textOf(field, [each], 'cn')))
  if (widget.files) return (value as { name: string }[]).every(({ name }) => has(name))
  return (
    shown.entries.some((entry) => entry !== '' && isSame(field, entry, value, widgets)) ||
    has(textOf(field, value, 'cn'))
  )
}
