import { Button } from 'antd'
import { useClient } from './frame.ts'
import type { ScreenFrame } from './frame.ts'
import { placeOnTrail } from './queue.ts'
import { follow } from './ScreenProblem.tsx'
import { useWords } from './words.ts'

interface TrailProps {
  entity: string
  id: number
  route: string
  frame: ScreenFrame
}

/** Steps to the previous and next record of the list that a record was opened from, in the same tab. */
export function Trail({ entity, id, route, frame }: TrailProps) {
  const words = useWords()
  const { href } = useClient()
  const place = placeOnTrail(entity, id)
  if (!place) return null
  const instead = { navigate: (to: string) => frame.close({ to }) }
  const step = (label: string, to: number | undefined) =>
    to === undefined ? (
      <Button disabled>{label}</Button>
    ) : (
      <Button href={href(`${route}?id=${to}`)} onClick={(event) => follow(event, instead, `${route}?id=${to}`)}>
        {label}
      </Button>
    )
  return (
    <nav className="detail-neighbours" aria-label={words('neighbours')}>
      {step(words('previousRecord'), place.previous)}
      <span>
        {place.number} / {place.count}
      </span>
      {step(words('nextRecord'), place.next)}
    </nav>
  )
}
