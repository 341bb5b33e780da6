import { Field as Place } from '@formily/react'
import { observer } from '@formily/reactive-react'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { Chunk } from './formChunks.tsx'
import { useEngine } from './view.ts'
import { useModel } from './formControl.tsx'

/** A single field below a `FormRoot`. */
export const FormField = memo(function FormField({ name }: { name: string }) {
  return <Place name={name} />
})

/** A section, with `frame` around its fields. Renders nothing if none of its fields is visible. */
export const FormSection = observer(function FormSection({
  index,
  frame,
}: {
  index: number
  frame?(fields: ReactNode): ReactNode
}) {
  const model = useModel()
  const chunks = model.chunks.filter(({ section }) => section === index)
  const isVisible = chunks.some(({ fields }) => fields.some(({ field }) => model.nodes.isVisible(field)))
  if (!isVisible) return null
  const fields = (
    <div className="form-grid">
      {chunks.map((chunk) => (
        <Chunk key={chunk.index} index={chunk.index} height={chunk.height}>
          {() => chunk.fields.map(({ field }) => <FormField key={field} name={field} />)}
        </Chunk>
      ))}
    </div>
  )
  return <>{frame ? frame(fields) : fields}</>
})

const fewestAnchored = 4

/** Whether there are so many sections with a title that links to them save scrolling. */
export const hasAnchors = (sections: readonly { title?: unknown }[]): boolean =>
  sections.filter(({ title }) => title).length >= fewestAnchored

/** Links to the visible sections that have a title. */
export const FormAnchors = observer(function FormAnchors({ label }: { label: string }) {
  const model = useModel()
  const { text } = useEngine()
  const shown = model.source.sections
    .map((section, index) => ({ title: section.title, index }))
    .filter(
      ({ title, index }) =>
        title &&
        model.chunks.some(
          (chunk) => chunk.section === index && chunk.fields.some(({ field }) => model.nodes.isVisible(field)),
        ),
    )
  return (
    <nav className="form-anchors" aria-label={label}>
      {shown.map(({ title, index }) => (
        <button
          key={index}
          type="button"
          onClick={() => document.getElementById(model.sectionId(index))?.scrollIntoView({ block: 'start' })}
        >
          {text(title!)}
        </button>
      ))}
    </nav>
  )
})
