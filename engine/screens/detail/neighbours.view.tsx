import { Button } from 'antd'
import { useMemo } from 'react'
import { follow, useClient, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useList } from '../../client/records.ts'
import type { RecordData } from '../../model/model.ts'
import type { DetailPlan } from './detail.ts'

/** The most neighbours that are loaded. */
const most = 1000

interface Props {
  neighbours: NonNullable<DetailPlan['neighbours']>
  record: RecordData
  route: string
  frame: ScreenFrame
}

/** Links to the previous and next record, if there are any. */
export function Neighbours({ neighbours: { by, sort, path }, record, route, frame }: Props) {
  const words = useWords()
  const owner = (record[by] as { id?: number } | null)?.id
  const query = useMemo(
    () => ({ page: 1, size: most, sort, fields: [by], tab: { [by]: { equals: owner ?? null } } }),
    [by, sort, owner],
  )
  const { data } = useList(path, query, { enabled: owner !== undefined && frame.active, version: frame.version })
  const place = data?.list.findIndex(({ id }) => id === record.id) ?? -1
  const at = (step: number) => (place < 0 ? undefined : data?.list[place + step]?.id)
  return (
    <nav className="detail-neighbours" aria-label={words('neighbours')}>
      <Step label={words('previousRecord')} id={at(-1)} route={route} frame={frame} />
      <Step label={words('nextRecord')} id={at(1)} route={route} frame={frame} />
    </nav>
  )
}

function Step({
  label,
  id,
  route,
  frame,
}: {
  label: string
  id: number | undefined
  route: string
  frame: ScreenFrame
}) {
  const { href } = useClient()
  if (id === undefined) return <Button disabled>{label}</Button>
  const to = `${route}?id=${id}`
  return (
    <Button href={href(to)} onClick={(event) => follow(event, frame, to)}>
      {label}
    </Button>
  )
}
