import path from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { textIn } from '../../model/language.ts'
import type { HelpSection } from '../../model/model.ts'
import type { HelpDocument } from '../HelpDocument.ts'

const markdown = new Marked()

/** The anchor that GitHub gives a heading, so that links work in both places. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

interface Part {
  heading: string
  tokens: Token[]
}

/** The part before the first second-level heading, and then each second-level section. */
function partsOf({ text, title }: HelpDocument): Part[] {
  const parts: Part[] = [{ heading: textIn(title, 'en'), tokens: [] }]
  for (const token of markdown.lexer(text)) {
    const { depth, text: heading } = token as Tokens.Heading
    if (token.type === 'heading' && depth === 1) parts[0].heading = heading
    else if (token.type === 'heading' && depth === 2) parts.push({ heading, tokens: [] })
    else parts.at(-1)!.tokens.push(token)
  }
  return parts
}

/** The section of a document that contains an anchor; undefined for the document as a whole. */
function sectionAt(document: HelpDocument, anchor: string): string | undefined {
  const found = partsOf(document).find(
    ({ heading, tokens }) =>
      anchorOf(heading) === anchor ||
      tokens.some((token) => token.type === 'heading' && anchorOf((token as Tokens.Heading).text) === anchor),
  )
  return found && anchorOf(found.heading)
}

/** A document as sections of the help. Links to documents that are not shown, or to sources, become plain text. */
export function documentSections(document: HelpDocument, shown: readonly HelpDocument[]): HelpSection[] {
  const linkOf = (href: string): string | undefined => {
    if (/^https?:/.test(href)) return href
    const [target, anchor] = href.split('#')
    const file = target === '' ? document.file : path.posix.join(path.posix.dirname(document.file), target)
    const found = shown.find((each) => each.file === file)
    if (!found) return undefined
    const at = anchor === undefined ? undefined : sectionAt(found, decodeURIComponent(anchor))
    return `/help/${found.name}${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`
  }
  return partsOf(document).map(({ heading, tokens }) => ({
    id: anchorOf(heading),
    title: heading,
    text: [],
    tables: [],
    html: sanitizeHtml(markdown.parser(tokens), {
      allowedTags: sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'img'),
      allowedAttributes: { a: ['href'] },
      transformTags: {
        a(_, { href = '' }) {
          const link = linkOf(href)
          const attribs: sanitizeHtml.Attributes = link === undefined ? {} : { href: link }
          return { tagName: link === undefined ? 'span' : 'a', attribs }
        },
      },
    }),
  }))
}
