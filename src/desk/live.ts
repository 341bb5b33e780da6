import { useSchemaRefusal } from './schemaIssues.ts'
import type { SchemaRefusal } from './schemaIssues.ts'

/** What the development server tells whenever the schema files were saved. */
type Saved = SchemaRefusal & { hash: string }

/**
 * In development, a saved schema file is reported at once: `renew` gets the hash of the catalog that is served from now on.
 * @returns what ends it.
 */
export function followSchemas(renew: (hash: string) => void): () => void {
  // Vite looks for exactly these words; a test has some of it, and nobody who tells.
  const hot = import.meta.env.MODE === 'development' ? import.meta.hot : undefined
  const follow = ({ hash, ...refusal }: Saved) => {
    useSchemaRefusal.getState().show(refusal)
    renew(hash)
  }
  hot?.on('formwork:schemas', follow)
  // It may have been told before anybody listened.
  hot?.send('formwork:schemas')
  return () => hot?.off('formwork:schemas', follow)
}
