import { Button } from 'antd'
import { pressable } from './pressable.ts'
import { useWords } from './words.ts'

/** Go to the record before and after; absent if there is none. */
export interface Steps {
  previous?(): void
  next?(): void
}

/** Steps through the rows of a list from the open one. */
export function StepButtons({ steps, go = (step) => step() }: { steps: Steps; go?(step: () => void): void }) {
  const words = useWords()
  return (
    <nav className="step-buttons" aria-label={words('neighbours')}>
      {(
        [
          ['previousRecord', steps.previous],
          ['nextRecord', steps.next],
        ] as const
      ).map(([label, step]) => (
        <Button key={label} size="small" {...pressable(step !== undefined, () => go(step!))}>
          {words(label)}
        </Button>
      ))}
    </nav>
  )
}
