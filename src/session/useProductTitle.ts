import { useEffect, useState } from 'react'
import type { Label } from '../../engine/model/model.ts'
import { language } from './language.ts'

/** The product's name and languages, from the schema files; the page works without them. */
export function useProductTitle(): Label | undefined {
  const [title, setTitle] = useState<Label>()
  useEffect(() => {
    void fetch('/api/plans/public')
      .then((answer) => answer.json())
      .then(({ result }) => {
        language.offer(result.languages ?? [])
        setTitle(result.title)
      })
      .catch(() => undefined)
  }, [])
  return title
}
