// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ClientReact } from '../../client/frame.ts'
import type { ClientContext } from '../../client/frame.ts'
import { titleCutText } from './gridLayout.ts'
import { GridRow } from './GridRow.tsx'
import type { GridColumn } from './GridRow.tsx'

afterEach(cleanup)

const amount: GridColumn = {
  field: 'amount',
  label: 'amount',
  width: 60,
  sized: true,
  pin: 'none',
  sort: false,
  resizable: true,
  isNumber: true,
  text: () => '￥128,345,678.90',
}

/** The cells of a row with these columns. */
function drawn(...columns: GridColumn[]): HTMLElement[] {
  const place = { start: 0, from: 0, to: columns.length, end: columns.length }
  const ticks = { tickable: false, ticked: false, onTick: () => undefined, onToggle: () => undefined }
  render(
    <ClientReact.Provider value={{ language: 'en' } as ClientContext}>
      <table onMouseOver={titleCutText}>
        <tbody>
          <GridRow record={{ id: 1 }} depth={0} number={1} columns={columns} {...place} {...ticks} />
        </tbody>
      </table>
    </ClientReact.Provider>,
  )
  return screen.getAllByRole('cell')
}

test('a figure that does not fit the width that a user chose is marked, and shown whole when pointed at', () => {
  const [narrow, wide, own, text] = drawn(
    amount,
    { ...amount, field: 'wide', width: 200 },
    { ...amount, field: 'own', sized: false },
    { ...amount, field: 'text', isNumber: false },
  )
  expect([narrow, wide, own, text].map(({ dataset }) => dataset.narrow)).toEqual([
    'true',
    undefined,
    undefined,
    undefined,
  ])
  for (const cell of [narrow, wide]) fireEvent.mouseOver(cell)
  expect([narrow.title, wide.title]).toEqual(['￥128,345,678.90', ''])
})
