import { Button } from 'antd'
import { useWords } from './words.ts'

/** To the record before and after; absent where there is none. */
export interface Steps {
  previous?(): void
  next?(): void
}

/** Through the rows of a list, from one that is open to the others. */
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
        <Button key={label} size="small" disabled={!step} onClick={() => step && go(step)}>
          {words(label)}
        </Button>
      ))}
    </nav>
  )
}
