import { useSchemaRefusal } from './schemaIssues.ts'
import type { SchemaRefusal } from './schemaIssues.ts'

/** Sent by the development server whenever schema files were saved. */
type Saved = SchemaRefusal & { hash: string }

/**
 * In development, a saved schema file is reported at once: `renew` gets the hash of the catalog that is served from now
 * on.
 * @returns a function that ends it.
 */
export function followSchemas(renew: (hash: string) => void): () => void {
  // Vite only recognises this exact expression; in tests it exists without a server.
  const hot = import.meta.env.MODE === 'development' ? import.meta.hot : undefined
  const follow = ({ hash, ...refusal }: Saved) => {
    useSchemaRefusal.getState().show(refusal)
    renew(hash)
  }
  hot?.on('formwork:schemas', follow)
  // It may have been sent before anything listened.
  hot?.send('formwork:schemas')
  return () => hot?.off('formwork:schemas', follow)
}
