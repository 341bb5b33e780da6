import { useState } from 'react'
import type { ReactNode } from 'react'
import { useConditions } from '../../client/conditions.ts'
import { fill, follow, useClient } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { ScreenDrawer } from '../../client/ScreenDrawer.tsx'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import type { BoardRecords } from './block.ts'

/** Renders `content` as a link or button to what its record opens, or plainly if the record opens nothing. */
export type Opener = (record: RecordData, content: ReactNode, className: string) => ReactNode

/** What a record of a block opens: a page of the app, another site, or a drawer. */
export function useOpener(block: BoardRecords, entity: EntityPlan, frame: ScreenFrame) {
  const { href } = useClient()
  const holds = useConditions(entity)
  const [opened, setOpened] = useState<{ screen: string; query: Record<string, string> }>()

  const opener: Opener = (record, content, className) => {
    const opening = block.open.find(({ when }) => holds(when, record))
    const address = opening?.address === undefined ? '' : String(record[opening.address] ?? '')
    if (address.startsWith('/'))
      return (
        <a className={className} href={href(address)} onClick={(event) => follow(event, frame, address)}>
          {content}
        </a>
      )
    if (address.startsWith('https://'))
      return (
        <a className={className} href={address} target="_blank" rel="noopener noreferrer">
          {content}
        </a>
      )
    if (!opening?.drawer) return <span className={className}>{content}</span>
    const { screen, query } = opening.drawer
    const filled = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, fill(value, record) ?? '']))
    return (
      <button type="button" className={className} onClick={() => setOpened({ screen, query: filled })}>
        {content}
      </button>
    )
  }
  const drawer = opened && (
    <ScreenDrawer screen={opened.screen} query={opened.query} frame={frame} onClose={() => setOpened(undefined)} />
  )
  return { opener, drawer }
}
