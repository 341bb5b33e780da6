// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ClientReact } from '../../client/frame.ts'
import type { ClientContext } from '../../client/frame.ts'
import type { GridColumn } from './GridRow.tsx'
import { GridSums } from './GridSums.tsx'

afterEach(cleanup)

const column = (field: string, pin: GridColumn['pin'] = 'none'): GridColumn => ({
  field,
  label: field,
  width: 100,
  sized: false,
  pin,
  sort: false,
  resizable: true,
  text: () => '',
})
const columns = [column('code', 'left'), column('wage'), column('start'), column('tax'), column('paid', 'right')]
const sums = { wage: '￥10.00', tax: '￥2.00', paid: '￥8.00' }

/** The text of each cell in the row of sums, while the columns of `whole` are fully visible. */
function drawn(whole: { from: number; to: number }, given: Record<string, string> = sums): string[] {
  render(
    <ClientReact.Provider value={{ language: 'en' } as ClientContext}>
      <table>
        <GridSums columns={columns} sums={given} ticked={false} whole={whole} />
      </table>
    </ClientReact.Provider>,
  )
  return within(screen.getByRole('row'))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)
}

test('each sum is under its column', () => {
  expect(drawn({ from: 0, to: 3 })).toEqual(['Total', '￥10.00', '', '￥2.00', '￥8.00'])
})

test('sums out of sight are beside the word for the total, by name', () => {
  expect(drawn({ from: 0, to: 2 })[0]).toBe('Totaltax ￥2.00')
  cleanup()
  expect(drawn({ from: 1, to: 2 })[0]).toBe('Totalwage ￥10.00tax ￥2.00')
})

test('a screen reader reads each sum once', () => {
  drawn({ from: 1, to: 2 })
  expect(
    screen.getAllByRole('cell').flatMap((cell) => within(cell).queryAllByText('￥2.00', { ignore: '[aria-hidden] *' })),
  ).toHaveLength(1)
})

test('a first column keeps its own sum', () => {
  expect(drawn({ from: 1, to: 2 }, { code: '5', tax: '￥2.00' })).toEqual(['5', '', '', '￥2.00', ''])
})
