import { useEffect, useState } from 'react'

/** The product's name, from the schema files; the page works without it. */
export function useProductTitle(): Record<string, string> {
  const [title, setTitle] = useState<Record<string, string>>({})
  useEffect(() => {
    void fetch('/api/plans/public')
      .then((answer) => answer.json())
      .then(({ result }) => setTitle(result.title))
      .catch(() => undefined)
  }, [])
  return title
}
