import { useWords } from './words.ts'

/** Stands after the label of a required field; the control itself says so to assistive technology. */
export function RequiredMark() {
  const words = useWords()
  return (
    <span className="required-mark" title={words('requiredMark')} aria-hidden>
      *
    </span>
  )
}
