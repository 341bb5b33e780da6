import type { GridColumn } from './GridRow.tsx'

/** How a column of the grid is aligned and pinned. */
export function columnLook({
  pin,
  index,
  edge,
  align,
}: {
  pin: GridColumn['pin']
  index: number
  edge: boolean
  align?: string
}): Pick<GridColumn, 'className' | 'style'> {
  const className = [align && `align-${align}`, pin !== 'none' && `pin-${pin}`, edge && 'pin-edge']
    .filter(Boolean)
    .join(' ')
  return { className: className || undefined, style: pin === 'none' ? undefined : { [pin]: `var(--pin-${index})` } }
}
