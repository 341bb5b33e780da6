import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tokenCookie } from './session/token.ts'

interface BuiltFile {
  file: string
  name?: string
  css?: string[]
}

/** What the page of a signed-in user loads in any case, its own script first, and lists, which most screens are. */
const needed = ['index', 'libraries', 'frame', 'list.view']

/**
 * A `Link` header by which a browser loads these files along with the page, instead of after the script that asks for
 * them.
 *
 * @param client the folder of the built client
 */
export function preloadLink(client: string): string | undefined {
  const manifest = path.join(client, '.vite/manifest.json')
  if (!existsSync(manifest)) return undefined
  const files = Object.values(JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, BuiltFile>)
  const links = needed.flatMap((name) => {
    const found = files.find((each) => each.name === name)
    return found
      ? [
          `</${found.file}>; rel=modulepreload`,
          ...(found.css ?? []).map((css) => `</${css}>; rel=preload; as=style; crossorigin`),
        ]
      : []
  })
  return links.length > 0 ? links.join(', ') : undefined
}

/** The client keeps this cookie beside its token (specification, section 9); that it is there proves nothing. */
export const seemsSignedIn = (cookies = ''): boolean =>
  cookies.split(/;\s*/).some((each) => new RegExp(`^${tokenCookie}=.`).test(each))
